"""The static side of a pytree: one object for each combination of values of its static fields.

JAX compares the metadata of pytrees, and never hashes it. Here equal metadata is one object, as in static classes:
comparing two means comparing pointers, and `1` and `1.0` are different.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Sequence
from typing import Any, Final

from jaxtyped_static._classes.pickled_fields import check_kind, check_names
from jaxtyped_static._values.interning import find, publish
from jaxtyped_static._values.layouts import Layout

# The attribute of a class that holds its `StaticSide`.
STATIC_SIDE: Final = "__static_side__"
# No more are in use at a time; a forgotten one is found again by its key.
_MAX_REMEMBERED: Final = 4096


class Metadata:
    """The values of the static fields, shared by all objects of a class that have the same values.

    Attributes:
        cls: the class.
        values: the values of its static fields.
        attributes: of all its fields in order, None for data: the initial attributes of an object that JAX unflattens.
    """

    __slots__ = ("__weakref__", "attributes", "cls", "values")

    def __init__(self, cls: type, attributes: dict[str, Any], values: tuple[Any, ...]) -> None:
        self.cls = cls
        self.attributes = attributes
        self.values = values

    def __repr__(self) -> str:
        """As shown by the treedefs in JAX's messages: `State[cells=4]`."""
        return ", ".join(f"{name}={value!r}" for name, value in self._static().items())

    def __copy__(self) -> Metadata:
        return self

    def __deepcopy__(self, _memo: object) -> Metadata:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return metadata_of, (self.cls, self._static())

    def _static(self) -> dict[str, Any]:
        side: StaticSide = self.cls.__dict__[STATIC_SIDE]
        return dict(zip(side.names, self.values, strict=True))


class StaticSide:
    """The static fields of a class, and how their values become metadata.

    Attributes:
        names: the names of the static fields.
        latest: the metadata that was requested last, which is usually requested next.
        remembered: earlier metadata, by the ids of its values, while it lives.
    """

    def __init__(self, cls: type, fields: Sequence[str], names: tuple[str, ...], by_id: frozenset[str]) -> None:
        self._cls = cls
        self._layout = Layout(names, by_id, runs_code=False)
        self._fields = tuple(map(sys.intern, fields))  # Interned like names in source, which makes look-ups faster.
        self.names = names
        self.remembered: dict[tuple[int, ...], weakref.ref[Metadata]] = {}
        self.latest = Metadata(cls, {}, tuple(object() for _ in names))  # Equal to nothing else.

    def __reduce__(self) -> tuple[object, ...]:
        return _nothing, ()  # In a class that was sent to another process, `make_pytree` makes another one.

    def metadata(self, values: tuple[Any, ...]) -> Metadata:
        """Returns the metadata of objects whose static fields have these values.

        Raises:
            StaticContractError: one of them breaks the contract.
        """
        found = self._interned(values)
        if len(self.remembered) >= _MAX_REMEMBERED:
            self.remembered.clear()
        self.remembered[tuple(map(id, found.values))] = weakref.ref(found)
        self.latest = found
        return found

    def _interned(self, values: tuple[Any, ...]) -> Metadata:
        values = self._layout.settled(values)
        key = self._layout.key_of_values(self._cls, values)
        known: Metadata | None = find(key)
        if known is not None:
            return known
        attributes = dict.fromkeys(self._fields) | dict(zip(self.names, values, strict=True))
        made: Metadata = publish(Metadata(self._cls, attributes, values), key)
        return made


def _nothing() -> None: ...


def metadata_of(cls: type, attributes: dict[str, Any]) -> Metadata:
    """Returns the metadata with these values; pickles refer to this function by name.

    Raises:
        TypeError: the class is no longer dynamic, or has other static fields.
    """
    from jaxtyped_static._classes.trees import tree_of  # Avoids an import cycle.

    check_kind(cls, "dynamic")
    tree_of(cls)
    side: StaticSide = cls.__dict__[STATIC_SIDE]
    check_names(cls, attributes, side.names, side.names)
    return side.metadata(tuple(attributes[name] for name in side.names))
