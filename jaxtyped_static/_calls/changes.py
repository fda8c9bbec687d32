"""Finds the first change between two fingerprints; filling a cache does not count as one."""

from __future__ import annotations

from typing import Final, NamedTuple

from jaxtyped_static._calls.fingerprints import GONE, Fingerprint
from jaxtyped_static._values.hidden_state import STATE
from jaxtyped_static._values.own_state import is_cache, is_own_state

_NOTHING: Final = "nothing"
_LONGEST: Final = 60


class Change(NamedTuple):
    """One difference: where it is, and the value before and now."""

    path: str
    before: str
    now: str


def first_change(before: Fingerprint, now: Fingerprint) -> Change | None:
    """Returns the first change between two fingerprints of an object; None if there is none that a program could see.

    These do not count as changes: an attribute that is set for the first time or was None, unless it is a declared
    field; entries added to or removed from a private attribute or a captured variable; anything under a name that
    suggests a cache, unless it is a field that is part of the value.
    """
    change = _change(before, now, "", set(), is_lenient=False)
    return None if change is None else change._replace(path=change.path.partition(STATE)[0])


def _change(
    before: Fingerprint, now: Fingerprint, path: str, seen: set[tuple[int, int]], *, is_lenient: bool
) -> Change | None:
    pair = id(before), id(now)
    if before is now or pair in seen or GONE in (before.exact, now.exact):
        return None
    seen.add(pair)
    if before.cls is not now.cls or before.exact != now.exact or (before.parts is None) != (now.parts is None):
        return _change_of(path, before, now)
    for step in (*(before.parts or ()), *(step for step in now.parts or () if step not in (before.parts or ()))):
        change = _change_of_part(before, now, step, path, seen, is_lenient=is_lenient)
        if change is not None:
            return change
    return None if is_lenient else _change_of_order(path, before, now)


def _change_of_order(path: str, before: Fingerprint, now: Fingerprint) -> Change | None:
    """Returns the change if the same items are in another order; that of attributes cannot matter."""
    old, new = ([step for step in each.parts or () if step.startswith("[")] for each in (before, now))
    if old == new or set(old) != set(new):
        return None
    return Change(path, *(f"items in the order {_listed(steps)}" for steps in (old, new)))


def _listed(steps: list[str]) -> str:
    text = ", ".join(step[1:-1] for step in steps)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _change_of_part(
    before: Fingerprint, now: Fingerprint, step: str, path: str, seen: set[tuple[int, int]], *, is_lenient: bool
) -> Change | None:
    old, new = (before.parts or {}).get(step), (now.parts or {}).get(step)
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
    return _change(old, new, path + step, seen, is_lenient=is_lenient)


def _is_empty(part: Fingerprint | None) -> bool:
    return part is None or part.is_empty


def _change_of(path: str, before: Fingerprint | None, now: Fingerprint | None) -> Change:
    old, new = str(before or _NOTHING), str(now or _NOTHING)
    return Change(path, old, new if old != new else f"another {new}")
