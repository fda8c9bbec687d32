"""The static side of a pytree: one object for each combination of the values of its static fields.

JAX compares the metadata of pytrees, and never hashes it. Of ours, equal values are one object, as for static classes:
to compare two is to compare pointers, and `1` and `1.0` are different.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jaxtyped_static.interning import Layout, find, publish

# Where an object keeps its metadata, so that taking it apart costs one look-up.
METADATA: Final = "__static_metadata__"


class Metadata:
    """The values of the static fields, for all objects of a class that have the same."""

    __slots__ = ("__weakref__", "attributes", "cls")

    def __init__(self, cls: type, names: tuple[str, ...], values: tuple[Any, ...]) -> None:
        self.cls = cls
        self.attributes = dict(zip(names, values, strict=True))

    def __repr__(self) -> str:
        """As the treedefs in JAX's messages show it: `State[cells=4]`."""
        return ", ".join(f"{name}={value!r}" for name, value in self.attributes.items())

    def __copy__(self) -> Metadata:
        return self

    def __deepcopy__(self, _memo: object) -> Metadata:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return metadata_of, (self.cls, tuple(self.attributes.values()))


class MetadataField:
    """The metadata of an object: what it keeps as its own; while it is being made, found anew with each look."""

    def __init__(self, cls: type, names: Sequence[str], by_id: frozenset[str]) -> None:
        self._cls = cls
        self._layout = Layout(names, by_id, runs_code=False)

    def __get__(self, instance: Any, _owner: type | None = None) -> Any:
        return self if instance is None else self.of(instance)

    def of(self, instance: Any) -> Metadata:
        """The metadata of an object whose static fields are set.

        Raises:
            StaticContractError: the value of a static field breaks the contract.
            AttributeError: one is not set.
        """
        return self.of_values(self._layout.values(instance))

    def of_values(self, values: tuple[Any, ...]) -> Metadata:
        """The metadata of objects whose static fields have these values."""
        key = self._layout.key_of_values(self._cls, values)
        known: Metadata | None = find(key)
        if known is not None:
            return known
        made: Metadata = publish(Metadata(self._cls, self._layout.names, values), key)
        return made


def metadata_of(cls: type, values: tuple[Any, ...]) -> Metadata:
    """The metadata with these values; pickles refer to this by name."""
    field: MetadataField = cls.__dict__[METADATA]
    return field.of_values(values)
