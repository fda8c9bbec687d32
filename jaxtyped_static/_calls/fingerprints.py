"""Fingerprints: what a value consists of at one moment, at every depth, without keeping the value alive.

Unlike a key, a fingerprint can be taken of any object, including objects compared by identity, the variables that a
function captures, and the bytes of an array. Parts that are not looked into are represented by their identity or hash.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from types import FunctionType
from typing import Any, Final

import jax
import numpy as np

from jaxtyped_static._attributes.own_state import Declared, declared_by
from jaxtyped_static._calls.compiled_in import code_of, content_of, is_compiled_in
from jaxtyped_static._calls.opaque import ATOMS as ATOMS
from jaxtyped_static._calls.opaque import GONE as GONE
from jaxtyped_static._calls.opaque import exact_of, shown
from jaxtyped_static._keys.value_keys import key_of
from jaxtyped_static._parts.contents import ById, parts_of
from jaxtyped_static._parts.held import ChosenPart, Holding, chosen_parts, elements_of

# A larger graph of objects is not a configuration; whatever lies beyond is not looked into.
_MAX_OBJECTS: Final = 20_000
_MAX_DEPTH: Final = 100
_MANY: Final = 16

_MAY_BE_EMPTY: Final = (Mapping, list, tuple, deque)
_NONE_DECLARED: Final = Declared()


class Fingerprint:
    """The state of one object at one moment.

    Attributes:
        cls: a weak reference to its class, the same for every object of it.
        exact: what identifies it apart from its parts.
        parts: its parts, by the step that leads to each; None if it is not looked into.
        declared: the fields of its class.
        shown: the object's text in a message; for an atom, the atom itself.
        is_chosen: whether the parts are those that programs read, not all of them.
    """

    __slots__ = ("cls", "declared", "exact", "is_chosen", "parts", "shown")

    def __init__(self, cls: type, exact: Hashable, shown: object) -> None:
        self.cls = weakref.ref(cls)
        self.exact = exact
        self.parts: dict[str, Fingerprint] | None = None
        self.declared = _NONE_DECLARED
        self.shown = shown
        self.is_chosen = False

    def __str__(self) -> str:
        cls = self.cls()
        text = repr(self.shown) if cls in ATOMS else str(self.shown)
        return text if len(text) <= 80 else f"{text[:79]}…"

    @property
    def is_none(self) -> bool:
        """Returns whether it is None."""
        return self.shown is None

    @property
    def is_empty(self) -> bool:
        """Returns whether it is None or an empty container."""
        if self.is_none or self.exact == frozenset():
            return True
        return self.parts == {} and issubclass(self.cls() or object, _MAY_BE_EMPTY)


def fingerprint_of(value: Any) -> Fingerprint:
    """Returns the fingerprint of a value as it is now."""
    return _FingerprintWalk().visit(value, 0)


class _FingerprintWalk:
    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Fingerprint]] = {}  # Keeps the object alive, so its id is not reused.

    def visit(self, value: Any, depth: int) -> Fingerprint:
        cls: Any = type(value)
        if cls in ATOMS:
            return Fingerprint(cls, key_of(value), value)
        if cls is ById:
            return Fingerprint(type(value.value), id(value.value), shown(value.value))
        if cls is Holding:
            return self._chosen(value.roots(), _NONE_DECLARED, depth)
        if cls is ChosenPart:
            return self._part(value, depth)
        if (known := self._known.get(id(value))) is not None:
            return known[1]
        fingerprint = _of_many_atoms(value) if cls is tuple and len(value) > _MANY else None
        parts = parts_of(value) if fingerprint is None and self._is_within(depth) else None
        fingerprint = fingerprint or Fingerprint(cls, exact_of(value, is_looked_into=parts is not None), shown(value))
        self._known[id(value)] = value, fingerprint
        if parts is not None:
            fingerprint.declared = declared_by(cls)
            fingerprint.parts = {}
            for step, part in parts:
                fingerprint.parts[step] = self.visit(part, depth + 1)
        return fingerprint

    def _part(self, part: ChosenPart, depth: int) -> Fingerprint:
        """Takes the fingerprint of what programs read of a part; one of a value that cannot be compared is `GONE`."""
        value, tree = part
        cls: Any = type(value)
        if tree.is_read and is_compiled_in(value):
            return self._compiled_in(value)
        if not tree.children or not self._is_within(depth) or value is None:
            return Fingerprint(object, GONE, shown(value))
        found = self._chosen(chosen_parts(part), declared_by(cls), depth)
        if tree.has_all and elements_of(value) is not None:
            found.cls, found.is_chosen = weakref.ref(cls), False
        return found

    def _compiled_in(self, value: Any) -> Fingerprint:
        if isinstance(value, np.ndarray | jax.Array):
            return Fingerprint(np.ndarray, content_of(value), shown(value))
        code = code_of(value)
        return self.visit(value, 0) if code is None else Fingerprint(FunctionType, id(code), shown(value))

    def _chosen(self, parts: Iterable[tuple[str, ChosenPart]], declared: Declared, depth: int) -> Fingerprint:
        found = Fingerprint(object, None, "object")
        found.declared, found.is_chosen, found.parts = declared, True, {}
        for step, part in parts:
            found.parts.setdefault(step, self._part(part, depth + 1))
        return found

    def _is_within(self, depth: int) -> bool:
        return depth < _MAX_DEPTH and len(self._known) < _MAX_OBJECTS


def _of_many_atoms(value: tuple[Any, ...]) -> Fingerprint | None:
    """Treats a table of numbers in a tuple as one atom; otherwise each number would take as long as an object."""
    return Fingerprint(tuple, key_of(value), value) if set(map(type, value)) <= ATOMS else None
