"""What an object keeps for itself and may fill or change, such as a cache, and what is part of its value."""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import Any, Final, NamedTuple

from jaxtyped_static._values.class_contract import field_names
from jaxtyped_static._values.static_classes import is_static

# What is kept there follows from the rest of the object, or has no bearing on a program.
_CACHE: Final = re.compile(r"cache|memo|hash", re.IGNORECASE)
# Private attributes, and what functions capture.
_OWN_STATE: Final = re.compile(r"\.[_<]")


class Declared(NamedTuple):
    """The steps to the fields that a class declares.

    Attributes:
        fields: all of them.
        compared: those that are part of the value, and so no cache, whatever they are called.
    """

    fields: frozenset[str] = frozenset()
    compared: frozenset[str] = frozenset()


@functools.lru_cache(maxsize=1024)
def declared_by(cls: Any) -> Declared:
    """The fields of a dataclass, an attrs class, a pydantic model or a NamedTuple."""
    names = field_names(cls)
    if names is None:
        names = getattr(cls, "_fields", ()) if issubclass(cls, tuple) else ()
    fields = frozenset(f".{name}" for name in names)
    return Declared(fields, fields - {f".{name}" for name in _computed_fields(cls)})


def _computed_fields(cls: Any) -> frozenset[str]:
    """Those that nobody passes and nothing compares: a remembered hash, say."""
    if is_static(cls):
        return frozenset()
    if hasattr(cls, "__attrs_attrs__"):
        return frozenset(each.name for each in cls.__attrs_attrs__ if not (each.init or each.eq))
    parameters = getattr(cls, "__dataclass_params__", None)
    if parameters is None:
        return frozenset()
    compares = parameters.eq
    return frozenset(each.name for each in dataclasses.fields(cls) if not (each.init or (each.compare and compares)))


def is_cache(step: str, declared: Declared) -> bool:
    """Whether a step leads to an attribute whose name speaks of a cache, and that is not part of the value."""
    return step.startswith(".") and _CACHE.search(step) is not None and step not in declared.compared


def is_own_state(step: str, declared: Declared) -> bool:
    """Whether a step leads to what an object keeps for itself, and may add to: private, and no declared field."""
    return step not in declared.fields and _OWN_STATE.match(step) is not None
