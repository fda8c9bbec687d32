"""The static side of a pytree: one object for each combination of values of its static fields.

JAX compares the metadata of pytrees, and never hashes it. Here equal metadata is one object, as in static classes:
comparing two means comparing pointers, and `1` and `1.0` are different.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Hashable, Sequence
from operator import is_
from typing import Any, Final

from jaxtyped_static._classes.pickled_fields import check_kind, check_names
from jaxtyped_static._errors import StaticContractError
from jaxtyped_static._keys.interning import find, publish, row_of
from jaxtyped_static._keys.refined_keys import may_change
from jaxtyped_static._keys.states import are_alike
from jaxtyped_static._kinds import STATIC_SIDE, TREE
from jaxtyped_static._static_objects.layouts import Layout

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

    Metadata of values that may change, as objects of hand-written classes do, is never in these two: such values are
    keyed again each time.
    """

    def __init__(self, cls: type, fields: Sequence[str], names: tuple[str, ...], by_id: frozenset[str]) -> None:
        self._cls = cls
        self._layout = Layout(names, by_id, runs_code=False)
        self._fields = tuple(map(sys.intern, fields))  # Interned like names in source, which makes look-ups faster.
        self.names = names
        self.remembered: dict[tuple[int, ...], weakref.ref[Metadata]] = {}
        self._of_changeable: dict[tuple[int, ...], weakref.ref[Metadata]] = {}
        self._latest_of_changeable: Metadata | None = None  # Kept alive, as `latest` is.
        self.latest = Metadata(cls, {}, tuple(object() for _ in names))  # Equal to nothing else.

    def __reduce__(self) -> tuple[object, ...]:
        return _nothing, ()  # In a class that was sent to another process, `make_pytree` makes another one.

    def metadata(self, values: tuple[Any, ...]) -> Metadata:
        """Returns the metadata of objects whose static fields have these values.

        Raises:
            StaticContractError: one of them breaks the contract.
        """
        values = self._layout.settled(values)
        try:
            key = self._layout.key_of_values(self._cls, values)
        except StaticContractError:
            # A memo that was filled since may hold what has no key, such as a tracer: the value was verified before.
            if (known := self._known_of(values)) is not None:
                return known
            raise
        return self._remembered(self._interned(values, key), is_changeable=may_change(key))

    def _interned(self, values: tuple[Any, ...], key: Hashable) -> Metadata:
        known: Metadata | None = find(key)
        if known is not None:
            return known
        if (known := self._known_of(values)) is not None and are_alike(_key_of(known), key):
            return known
        attributes = dict.fromkeys(self._fields) | dict(zip(self.names, values, strict=True))
        made: Metadata = publish(Metadata(self._cls, attributes, values), key)
        return made

    def _known_of(self, values: tuple[Any, ...]) -> Metadata | None:
        """Returns the metadata that these very objects had, if they may have changed since."""
        reference = self._of_changeable.get(tuple(map(id, values)))
        known = None if reference is None else reference()
        # The ids of dead values may have been reused.
        return known if known is not None and all(map(is_, known.values, values)) else None

    def _remembered(self, found: Metadata, *, is_changeable: bool) -> Metadata:
        table = self._of_changeable if is_changeable else self.remembered
        if len(table) >= _MAX_REMEMBERED:
            table.clear()
        table[tuple(map(id, found.values))] = weakref.ref(found)
        if is_changeable:
            self._latest_of_changeable = found
        else:
            self.latest = found
        return found


def _key_of(metadata: Metadata) -> Hashable:
    row = row_of(metadata)
    return None if row is None else row.key


def _nothing() -> None: ...


def metadata_of(cls: Any, attributes: dict[str, Any]) -> Metadata:
    """Returns the metadata with these values; pickles refer to this function by name.

    Raises:
        TypeError: the class is no longer dynamic, or has other static fields.
    """
    check_kind(cls, "dynamic")
    cls.__dict__[TREE].complete(cls)
    side: StaticSide = cls.__dict__[STATIC_SIDE]
    check_names(cls, attributes, side.names, side.names)
    return side.metadata(tuple(attributes[name] for name in side.names))
