"""The end of making an object: it is verified when the last of the class's own code has run."""

from __future__ import annotations

import functools
from typing import Any

from jaxtyped_static.classes.pytree_definitions import check_complete, check_decorated
from jaxtyped_static.classes.trees import Tree


def last_to_run(cls: Any) -> str:
    """What runs last while an object is made, `__init__` or `__post_init__`; asked before `dataclasses` writes one."""
    if "__init__" in cls.__dict__:
        return "__init__"
    if not hasattr(cls, "__post_init__"):
        cls.__post_init__ = _nothing  # Otherwise it would not be called.
    return "__post_init__"


def seal_when_made(cls: Any, last: str, tree: Tree, *, late: bool) -> None:
    """Has what runs last end with verifying the object, unless it is of a subclass, which will do so itself.

    Args:
        cls: the class.
        last: `__init__` or `__post_init__`.
        tree: the fields of the class.
        late: whether `__init__` leaves some of them out.
    """
    theirs, seal = getattr(cls, last), tree.seal
    runs_code = theirs.__module__ != __name__

    def finish(self: Any, /) -> None:
        if type(self) is cls:
            if runs_code or late:
                check_complete(self, tree)
            seal(self)
        else:
            check_decorated(type(self), cls)

    def run_and_finish(self: Any, /, *args: Any, **kwargs: Any) -> None:
        theirs(self, *args, **kwargs)
        finish(self)

    setattr(cls, last, functools.wraps(theirs)(run_and_finish) if runs_code else finish)


def _nothing(self: object) -> None:
    """Stands for a `__post_init__` that the class does not have."""
