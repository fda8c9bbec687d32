"""Verifies an object after the last of its class's own code has run.

That code is `__init__`, if the class writes one, and otherwise `__post_init__`. Each class gets a `__post_init__`,
because the `__init__` that `dataclasses` generates calls it. If the class has none of its own, the added one calls the
next in line, as if it did not exist.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from jaxtyped_static._classes.pytree_definitions import check_complete, check_decorated
from jaxtyped_static._classes.trees import Tree

_POST_INIT: Final = "__post_init__"
# Marks an added `__post_init__` that stands in for a missing one.
_IS_PLACEHOLDER: Final = "__is_placeholder__"


class OwnCode(NamedTuple):
    """What a class itself defines, before `dataclasses` writes an `__init__`."""

    init: Any
    post_init: Any


def own_code(cls: Any) -> OwnCode:
    """Returns what the class defines, and adds a `__post_init__` for `dataclasses` to call if there is none."""
    own = OwnCode(cls.__dict__.get("__init__"), cls.__dict__.get(_POST_INIT))
    if own.init is None and not hasattr(cls, _POST_INIT):
        cls.__post_init__ = lambda self: None
    return own


def seal_when_made(cls: Any, own: OwnCode, tree: Tree, *, late: bool) -> None:
    """Verifies the object after its last initializer has run. A subclass verifies its own objects.

    Args:
        cls: the class.
        own: what it defines.
        tree: its fields.
        late: whether `__init__` leaves some fields out.
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
        cls.__post_init__ = _placeholder(cls, finish, None if inherits_code or late else tree)


def _has_next(cls: Any) -> bool:
    """Returns whether a base has a `__post_init__` of its own."""
    methods = [base.__dict__[_POST_INIT] for base in cls.__mro__[1:] if _POST_INIT in base.__dict__]
    return not all(hasattr(method, _IS_PLACEHOLDER) for method in methods)


def _ending_with(finish: Callable[[Any], None], method: Any) -> Callable[..., None]:
    """Returns the method, of whatever kind, followed by the end of making the object."""

    @functools.wraps(method)
    def run_and_finish(self: Any, /, *args: Any, **kwargs: Any) -> None:
        method.__get__(self, type(self))(*args, **kwargs)
        finish(self)

    return run_and_finish


def _placeholder(cls: Any, finish: Callable[[Any], None], tree: Tree | None) -> Callable[..., None]:
    """Returns a `__post_init__` that calls the next one, if there is one, and then ends making the object.

    If nothing else is to be done for an object of the class itself, this is just `tree.seal`.
    """

    def __post_init__(self: Any, /, *args: Any) -> None:
        if tree is not None and type(self) is cls:
            tree.seal(self)
            return
        following = getattr(super(cls, self), _POST_INIT, None)
        if following is not None:
            following(*args)
        finish(self)

    setattr(__post_init__, _IS_PLACEHOLDER, True)
    return __post_init__
