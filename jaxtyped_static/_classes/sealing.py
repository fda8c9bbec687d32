"""The end of making an object: it is verified when the last of the class's own code has run.

That is `__init__`, if the class writes one, else `__post_init__`. Each class gets a `__post_init__`, because the
`__init__` that `dataclasses` writes calls it; where the class has none of its own, this one calls the next in line, as
if it were not there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from jaxtyped_static._classes.pytree_definitions import check_complete, check_decorated
from jaxtyped_static._classes.trees import Tree

_POST_INIT: Final = "__post_init__"
# The attribute of a `__post_init__` that stands for none.
_STANDS_FOR_NONE: Final = "__stands_for_none__"


class OwnCode(NamedTuple):
    """What a class itself defines, before `dataclasses` writes an `__init__`."""

    init: Any
    post_init: Any


def own_code(cls: Any) -> OwnCode:
    """What the class defines; and prepares it for `dataclasses`, which calls no `__post_init__` that is not there."""
    own = OwnCode(cls.__dict__.get("__init__"), cls.__dict__.get(_POST_INIT))
    if own.init is None and not hasattr(cls, _POST_INIT):
        cls.__post_init__ = lambda self: None
    return own


def seal_when_made(cls: Any, own: OwnCode, tree: Tree, *, late: bool) -> None:
    """Has what runs last end with verifying the object, unless it is of a subclass, which will do so itself.

    Args:
        cls: the class.
        own: what it defines.
        tree: its fields.
        late: whether `__init__` leaves some of them out.
    """
    inherits_code = _has_next(cls)
    must_check = any(own) or inherits_code or late

    def finish(self: Any) -> None:
        if type(self) is not cls:
            check_decorated(type(self), cls)
            return
        if must_check:
            check_complete(self, tree)
        tree.seal(self)

    if own.init is not None:
        cls.__init__ = _ending_with(finish, own.init)
    elif own.post_init is not None:
        cls.__post_init__ = _ending_with(finish, own.post_init)
    else:
        cls.__post_init__ = _standing_for_none(cls, finish, None if inherits_code or late else tree)


def _has_next(cls: Any) -> bool:
    """Whether a base has a `__post_init__` of its own."""
    methods = [base.__dict__[_POST_INIT] for base in cls.__mro__[1:] if _POST_INIT in base.__dict__]
    return not all(hasattr(method, _STANDS_FOR_NONE) for method in methods)


def _ending_with(finish: Callable[[Any], None], method: Any) -> Callable[..., None]:
    """The method, of whatever kind, and then the end."""

    @functools.wraps(method)
    def run_and_finish(self: Any, /, *args: Any, **kwargs: Any) -> None:
        method.__get__(self, type(self))(*args, **kwargs)
        finish(self)

    return run_and_finish


def _standing_for_none(cls: Any, finish: Callable[[Any], None], tree: Tree | None) -> Callable[..., None]:
    """A `__post_init__` that calls the next one, if there is one, and then comes to the end.

    `tree`: its `seal` is all that there is to do for an object of the class itself, if nothing else is.
    """

    def __post_init__(self: Any, /, *args: Any) -> None:
        if tree is not None and type(self) is cls:
            tree.seal(self)
            return
        following = getattr(super(cls, self), _POST_INIT, None)
        if following is not None:
            following(*args)
        finish(self)

    setattr(__post_init__, _STANDS_FOR_NONE, True)
    return __post_init__
