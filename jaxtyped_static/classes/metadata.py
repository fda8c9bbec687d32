"""The static side of a pytree: one object for each combination of the values of its static fields.

JAX compares the metadata of pytrees, and never hashes it. Of ours, equal values are one object, as for static classes:
to compare two is to compare pointers, and `1` and `1.0` are different.
"""

from __future__ import annotations

from typing import Any, Final

from jaxtyped_static.values.interning import find, publish
from jaxtyped_static.values.layouts import Layout
from jaxtyped_static.values.refusals import class_name

# The attribute in which an object keeps its metadata, so that taking it apart costs one look-up. No class has it:
# Python is slower to find what an object and its class both have.
METADATA: Final = "__static_metadata__"
# The attribute of a class that holds its `StaticSide`.
STATIC_SIDE: Final = "__static_side__"


class Metadata:
    """The values of the static fields, for all objects of a class that have the same."""

    __slots__ = ("__weakref__", "attributes", "cls", "values")

    def __init__(self, cls: type, names: tuple[str, ...], values: tuple[Any, ...]) -> None:
        self.cls = cls
        self.attributes = dict(zip(names, values, strict=True))
        self.values = values

    def __repr__(self) -> str:
        """As the treedefs in JAX's messages show it: `State[cells=4]`."""
        return ", ".join(f"{name}={value!r}" for name, value in self.attributes.items())

    def __copy__(self) -> Metadata:
        return self

    def __deepcopy__(self, _memo: object) -> Metadata:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return metadata_of, (self.cls, self.attributes)


class StaticSide:
    """The static fields of a class, and how their values become metadata."""

    def __init__(self, cls: type, names: tuple[str, ...], by_id: frozenset[str]) -> None:
        self._cls = cls
        self._layout = Layout(names, by_id, runs_code=False)
        self.names = names

    def metadata(self, values: tuple[Any, ...]) -> Metadata:
        """The metadata of the objects whose static fields have these values.

        Raises:
            StaticContractError: one of them breaks the contract.
        """
        values = self._layout.settled(values)
        key = self._layout.key_of_values(self._cls, values)
        known: Metadata | None = find(key)
        if known is not None:
            return known
        made: Metadata = publish(Metadata(self._cls, self.names, values), key)
        return made


def metadata_of(cls: type, attributes: dict[str, Any]) -> Metadata:
    """The metadata with these values; a pickle refers to this by name.

    Raises:
        TypeError: the class has other static fields now.
    """
    side: StaticSide = cls.__dict__[STATIC_SIDE]
    if differing := ", ".join(sorted(attributes.keys() ^ set(side.names))):
        raise TypeError(f"the pickled metadata and the static fields of {class_name(cls)} differ in {differing}")
    return side.metadata(tuple(attributes[name] for name in side.names))
