"""What a static class is known by: the attribute that holds its `Layout`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jaxtyped_static._values.layouts import Layout

LAYOUT: Final = "__static_layout__"


def is_static(cls: type) -> bool:
    """Whether it is a static class, or inherits from one."""
    return hasattr(cls, LAYOUT)


def layout_of(cls: Any) -> Layout:
    """The fields of a static class."""
    layout: Layout = cls.__static_layout__
    return layout


def decorated_class(cls: Any) -> Any:
    """The class itself, or the one that it takes its layout from."""
    return next(base for base in cls.__mro__ if LAYOUT in base.__dict__)
