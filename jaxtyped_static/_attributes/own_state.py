"""Distinguishes an object's own state, such as a cache, which it may fill or change, from its value."""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import Any, Final, NamedTuple

from jaxtyped_static._attributes.fields import field_names
from jaxtyped_static._kinds import is_static

# What is stored under a name with one of these words follows from the rest of the object, or does not matter to a
# program. `_memory` and `n_hashes` are other words.
_CACHE: Final = frozenset({"cache", "caches", "cached", "memo", "memos", "memoized", "memoised", "hash", "hashed"})
# A name that ends with one of these, or begins with one of those, is that of a setting: `_cache_len`, `use_cache`.
_QUANTITIES: Final = frozenset(
    {"size", "sizes", "len", "length", "lengths", "dim", "dims", "shape", "dtype", "bits", "buckets", "capacity"}
    | {"seed", "seeds", "limit", "max", "min", "kind", "type", "mode", "policy", "enabled", "disabled"}
)
_MODIFIERS: Final = frozenset({"use", "enable", "disable", "allow", "max", "min"})
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# Private attributes, and what functions capture.
_OWN_STATE: Final = re.compile(r"\.[_<]")


class Declared(NamedTuple):
    """The steps to the fields that a class declares.

    Attributes:
        fields: all of them.
        compared: those that are part of the value, and so not a cache, whatever their names.
    """

    fields: frozenset[str] = frozenset()
    compared: frozenset[str] = frozenset()


@functools.lru_cache(maxsize=1024)
def declared_by(cls: Any) -> Declared:
    """Returns the fields of a dataclass, an attrs class, a pydantic model or a NamedTuple."""
    names = field_names(cls)
    if names is None:
        names = getattr(cls, "_fields", ()) if issubclass(cls, tuple) else ()
    fields = frozenset(f".{name}" for name in names)
    return Declared(fields, fields - {f".{name}" for name in computed_fields(cls)})


def computed_fields(cls: Any) -> frozenset[str]:
    """Returns the fields that are neither passed nor compared, such as a stored hash."""
    if is_static(cls):
        return frozenset()
    if hasattr(cls, "__attrs_attrs__"):
        return frozenset(attribute.name for attribute in cls.__attrs_attrs__ if not (attribute.init or attribute.eq))
    parameters = getattr(cls, "__dataclass_params__", None)
    if parameters is None:
        return frozenset()
    compares = parameters.eq
    return frozenset(
        field.name for field in dataclasses.fields(cls) if not (field.init or (field.compare and compares))
    )


def is_cache(step: str, declared: Declared) -> bool:
    """Returns whether a step leads to an attribute whose name suggests a cache, and that is not part of the value."""
    return step.startswith(".") and suggests_cache(step) and step not in declared.compared


@functools.lru_cache(maxsize=4096)
def suggests_cache(step: str) -> bool:
    """Returns whether a name, or a step, has a word for what follows from the rest of an object."""
    words = [word.lower() for word in _WORD.findall(step)]
    return not _CACHE.isdisjoint(words) and words[-1] not in _QUANTITIES and words[0] not in _MODIFIERS


def is_own_state(step: str, declared: Declared) -> bool:
    """Returns whether a step leads to state that an object may add to: private, and not part of the value."""
    return step not in declared.compared and _OWN_STATE.match(step) is not None
