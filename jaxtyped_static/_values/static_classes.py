"""Identifies static classes by the attribute that holds their `Layout`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jaxtyped_static._values.layouts import Layout

LAYOUT: Final = "__static_layout__"


def is_static(cls: type) -> bool:
    """Returns whether it is a static class, or inherits from one."""
    return hasattr(cls, LAYOUT)


def layout_of(cls: Any) -> Layout:
    """Returns the fields of a static class."""
    layout: Layout = cls.__static_layout__
    return layout


def decorated_class(cls: Any) -> Any:
    """Returns the class itself, or the one that it takes its layout from."""
    return next(base for base in cls.__mro__ if LAYOUT in base.__dict__)
