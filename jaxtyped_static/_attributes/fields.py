"""Tells which fields a class has, and whether a library compares them."""

from __future__ import annotations

import dataclasses
import types
from typing import Any, Final

# Its modules can be changed until they are bound; nobody does that.
_FROZEN_BY_CONVENTION: Final = "flax.linen.module.Module"
_COMPARING_FIELDS: Final = frozenset({"builtins", "equinox", "flax", "pydantic"})


def field_names(cls: Any) -> tuple[str, ...] | None:
    """Returns the fields of a dataclass, an attrs class or a pydantic model; None for any other class."""
    if dataclasses.is_dataclass(cls):
        return tuple(field.name for field in dataclasses.fields(cls))
    if hasattr(cls, "__attrs_attrs__"):
        return tuple(attribute.name for attribute in cls.__attrs_attrs__)
    if is_pydantic(cls):
        return tuple(cls.model_fields)
    return None


def is_pydantic(cls: type) -> bool:
    """Returns whether it is a pydantic model, without importing pydantic."""
    return _has_base(cls, "pydantic.main.BaseModel")


def is_frozen_by_convention(cls: type) -> bool:
    """Returns whether it is a Linen module: its state is its fields; the rest is bookkeeping of Flax."""
    return _has_base(cls, _FROZEN_BY_CONVENTION)


def has_generated_eq(cls: type) -> bool:
    """Returns whether the `__eq__` of a class with fields is that of a library, which compares these."""
    owner = next(base for base in cls.__mro__ if "__eq__" in base.__dict__)
    if package_of(owner) in _COMPARING_FIELDS:
        return True
    code = getattr(owner.__dict__["__eq__"], "__code__", None)
    return isinstance(code, types.CodeType) and code.co_filename.startswith("<")


def _has_base(cls: type, fullname: str) -> bool:
    return any(f"{base.__module__}.{base.__qualname__}" == fullname for base in cls.__mro__)


def package_of(cls: type) -> str:
    """Returns the package of a class; none for one made by `make_dataclass`, before Python 3.12."""
    package = cls.__module__.partition(".")[0]
    is_claimed = package == "types" and getattr(types, cls.__qualname__, None) is not cls
    return "" if is_claimed else package
