"""Tells whether a class is static or dynamic, by the attribute that its decorator sets."""

from __future__ import annotations

from typing import Any, Final

# Holds the `Layout` of a static class, the `Tree` and the `StaticSide` of a dynamic one.
LAYOUT: Final = "__static_layout__"
TREE: Final = "__dynamic_tree__"
STATIC_SIDE: Final = "__static_side__"


def is_static(cls: type) -> bool:
    """Returns whether it is a static class, or inherits from one."""
    return hasattr(cls, LAYOUT)


def is_dynamic(cls: type) -> bool:
    """Returns whether it is a dynamic class, or inherits from one."""
    return hasattr(cls, TREE)


def decorated_class(cls: Any) -> Any:
    """Returns the class itself, or the one that it takes its layout from."""
    return next(base for base in cls.__mro__ if LAYOUT in base.__dict__)
