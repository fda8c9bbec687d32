"""Reads the attributes of an object, in `__dict__` and in slots."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

# A part of a value, with the step that leads to it: `.name`, `[0]`.
Part: TypeAlias = tuple[str, Any]
Parts: TypeAlias = Callable[[Any], Iterable[Part]]


def attributes_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Yields an instance's attributes, in `__dict__` and slots, without values that a cached property stored there."""
    cls = type(value)
    for name, item in list(getattr(value, "__dict__", {}).items()):
        if not isinstance(getattr(cls, name, None), functools.cached_property):
            yield name, item
    for name in slots_of(cls):
        try:
            yield name, getattr(value, name)
        except AttributeError:
            continue


def attribute_parts(value: Any) -> Iterator[Part]:
    """Yields the same as parts of the value."""
    return ((f".{name}", item) for name, item in attributes_of(value))


def slots_of(cls: type) -> Iterator[str]:
    """Yields the attributes for which the class, or a base, has slots."""
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        if isinstance(slots, Iterator):  # Making the class used it up (CPython 3.11).
            slots = [name for name, member in vars(base).items() if isinstance(member, types.MemberDescriptorType)]
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                yield f"_{base.__name__.lstrip('_')}{name}" if _is_mangled(name) else name


def _is_mangled(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")
