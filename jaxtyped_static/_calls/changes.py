"""Finds the first change between two fingerprints; filling a cache does not count as one."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from functools import partial
from types import MethodType
from typing import Any, Final, NamedTuple

import jax

from jaxtyped_static._attributes.own_state import is_cache, is_own_state
from jaxtyped_static._calls.fingerprints import GONE, Fingerprint
from jaxtyped_static._calls.read_names import Names
from jaxtyped_static._parts.parts_in_c import STATE, has_properties_in_c

_NOTHING: Final = "nothing"
_LONGEST: Final = 60
# Python and JAX read the parts of these without their names.
_READ_IN_C: Final = (tuple, enum.Enum, MethodType, partial, jax.tree_util.PyTreeDef)


class Change(NamedTuple):
    """One difference.

    Attributes:
        path: where it is.
        before: the value before.
        now: the value now.
        attribute: the innermost attribute on the path that no class declares as a field.
    """

    path: str
    before: str
    now: str
    attribute: str | None = None


def first_change(before: Fingerprint, now: Fingerprint, names: Names = None) -> Change | None:
    """Returns the first change between two fingerprints of an object; None if there is none that a program could see.

    These do not count as changes: an attribute that no program reads; an attribute that is set for the first time or
    was None, unless it is a declared field; entries added to or removed from a private attribute or a captured
    variable; anything under a name that suggests a cache, unless it is a field that is part of the value.

    Args:
        before: the earlier one.
        now: the later one.
        names: the attributes that programs may read; None if they may read any.
    """
    change = _FingerprintComparison(names).change(before, now, "", is_lenient=False)
    return None if change is None else change._replace(path=change.path.partition(STATE)[0])


class _FingerprintComparison:
    """Compares two fingerprints; objects may contain each other, so pairs that were compared are remembered."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._seen: set[tuple[int, int]] = set()

    def change(self, before: Fingerprint, now: Fingerprint, path: str, *, is_lenient: bool) -> Change | None:
        pair = id(before), id(now)
        if before is now or pair in self._seen or GONE in (before.exact, now.exact):
            return None
        self._seen.add(pair)
        if before.is_chosen:
            return self._change_of_chosen(before, now, path, is_lenient=is_lenient)
        if now.is_chosen:
            return None  # Then the value itself was read.
        is_set = is_lenient and issubclass(before.cls() or object, set)  # To which elements may be added.
        is_exact = is_set or before.exact == now.exact
        if before.cls is not now.cls or not is_exact or (before.parts is None) != (now.parts is None):
            return _change_of(path, before, now)
        old, new = before.parts or {}, now.parts or {}
        for step in (*old, *(step for step in new if step not in old)):
            if self._is_unread(step, before):
                continue
            change = self._change_of_part(before, now, step, path, is_lenient=is_lenient)
            if change is not None:
                return change._replace(attribute=change.attribute or _undeclared(step, before))
        return None if is_lenient else _change_of_order(path, old, new)

    def _change_of_chosen(self, before: Fingerprint, now: Fingerprint, path: str, *, is_lenient: bool) -> Change | None:
        """Compares the parts that a program has read, where they are there now."""
        for step in before.parts or ():
            if step in (now.parts or ()) and not self._is_unread(step, before):
                change = self._change_of_part(before, now, step, path, is_lenient=is_lenient)
                if change is not None:
                    return change._replace(attribute=change.attribute or _undeclared(step, before))
        return None

    def _is_unread(self, step: str, holder: Fingerprint) -> bool:
        if self._names is None or not step.startswith(".") or step.startswith(".<") or step[1:] in self._names:
            return False
        cls: Any = holder.cls() or object
        return not (issubclass(cls, _READ_IN_C) or has_properties_in_c(cls))

    def _change_of_part(
        self, before: Fingerprint, now: Fingerprint, step: str, path: str, *, is_lenient: bool
    ) -> Change | None:
        old, new = (before.parts or {}).get(step), (now.parts or {}).get(step)
        if new is not None and new.exact == GONE:
            return None
        may_be_set = is_lenient
        if step.startswith("."):
            if is_cache(step, before.declared):
                return None
            may_be_set = step not in before.declared.fields
            is_lenient = is_own_state(step, before.declared)
        elif step == STATE:
            is_lenient = may_be_set = False
        if (may_be_set and (old is None or old.is_none)) or (is_lenient and (_is_empty(old) or _is_empty(new))):
            return None
        if old is None or new is None:
            return _change_of(path + step, old, new)
        return self.change(old, new, path + step, is_lenient=is_lenient)


def _undeclared(step: str, holder: Fingerprint) -> str | None:
    if not step.startswith(".") or step.startswith(".<") or step in holder.declared.fields:
        return None
    return None if issubclass(holder.cls() or object, _READ_IN_C) else step[1:]


def _change_of_order(path: str, before: Mapping[str, object], now: Mapping[str, object]) -> Change | None:
    """Returns the change if the same items are in another order; that of attributes cannot matter."""
    old, new = ([step for step in parts if step.startswith("[")] for parts in (before, now))
    if old == new or set(old) != set(new):
        return None
    return Change(path, *(f"items in the order {_listed(steps)}" for steps in (old, new)))


def _listed(steps: list[str]) -> str:
    text = ", ".join(step[1:-1] for step in steps if step.endswith("]"))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _is_empty(part: Fingerprint | None) -> bool:
    return part is None or part.is_empty


def _change_of(path: str, before: Fingerprint | None, now: Fingerprint | None) -> Change:
    old, new = str(before or _NOTHING), str(now or _NOTHING)
    return Change(path, old, new if old != new else f"another {new}")
