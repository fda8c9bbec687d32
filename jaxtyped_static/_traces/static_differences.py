"""Explains why JAX distinguishes two static values, with the path to the difference.

JAX compares the class of a static argument itself, and then uses `==`, which inside the value takes `1` for `1.0`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import FunctionType, MethodType
from typing import Any, Final

import jax
import numpy as np

from jaxtyped_static._annotations.functions import underlying
from jaxtyped_static._class_contract.frozen import check_frozen
from jaxtyped_static._class_contract.hashing import check_hash, is_hashed_by_identity
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import WORDS, Reason
from jaxtyped_static._singletons.callables import refusal_of
from jaxtyped_static._traces.differences import Difference, Kind
from jaxtyped_static._traces.snapshots import Snapshot, snapshot_of
from jaxtyped_static._traces.value_text import in_short, transition

# Before JAX 0.9, `f(n=1)` and `f(n=1.0)` share a program, while `f(1)` and `f(1.0)` do not.
KEYWORDS_BY_CLASS: Final = jax.__version_info__ >= (0, 9)
# Objects that a `def`, `lambda`, `class` or call makes again each time it runs.
_DEFINED: Final = (FunctionType, MethodType, functools.partial, type)
_NAN: Final = (
    "nan is equal to no other nan, so each one is compiled for; "
    "use None, or a field of a static_dataclass, in which nan equals itself"
)


def static_differences(path: str, before: Snapshot, now: Snapshot, *, by_class: bool = True) -> tuple[Difference, ...]:
    """Returns what differs between two values of a static argument; nothing if JAX takes one for the other.

    Args:
        by_class: whether JAX compares the class of the argument itself.
    """
    is_equal = _equal(before.value, now.value)
    if type(before.value) is not type(now.value) and (by_class or not is_equal):
        return (_other_value(path, before.value, now.value),)
    if is_equal:
        return () if before.hash == now.hash else _hash_differs(path, before, now)
    same_parts = before.parts is not None and not tuple(_by_parts(path, before, now, exact=before.exact))
    return (_changed_since(path, before) if same_parts else ()) or _or_new_object(path, before, now)


def metadata_differences(path: str, before: Snapshot, now: Snapshot) -> tuple[Difference, ...]:
    """Returns the same for metadata of pytrees, whose class JAX does not compare either."""
    if _equal(before.value, now.value):
        return ()
    return tuple(difference._replace(kind=Kind.STRUCTURE) for difference in _or_new_object(path, before, now))


def attribute_differences(
    path: str, before: tuple[tuple[str, Snapshot], ...], now: tuple[tuple[str, Snapshot], ...], *, exact: bool
) -> tuple[Difference, ...]:
    """Returns the same for the attributes behind metadata, by name; `exact` as in our classes."""
    old, new = Snapshot(None, before), Snapshot(None, now)
    found = tuple(_by_parts(path, old, new, exact=exact)) or tuple(_by_parts(path, old, new, exact=True))
    return tuple(difference._replace(kind=Kind.STRUCTURE) for difference in found)


def _or_new_object(path: str, before: Snapshot, now: Snapshot) -> tuple[Difference, ...]:
    """Returns the parts' differences; if `==` sees a difference that they do not show, it is exact, or identity."""
    return (
        tuple(_differences(path, before, now, exact=False))
        or tuple(_by_parts(path, before, now, exact=True))
        or (_new_each_time(path, before.value, now.value),)
    )


def _differences(path: str, before: Snapshot, now: Snapshot, *, exact: bool) -> Iterator[Difference]:
    old, new = before.value, now.value
    if old is new or (not exact and _equal(old, new)):
        return
    if type(old) is not type(new):
        yield _other_value(path, old, new)
    elif before.parts is None or now.parts is None:
        if not _same(old, new):
            yield _leaf(path, old, new)
    else:
        inner = list(_by_parts(path, before, now, exact=exact or before.exact))
        if not inner and not _equal(old, new):
            inner = [_new_each_time(path, old, new)]
        yield from inner


def _by_parts(path: str, before: Snapshot, now: Snapshot, *, exact: bool) -> Iterator[Difference]:
    old, new = dict(before.parts or ()), dict(now.parts or ())
    if isinstance(now.value, tuple) and len(old) != len(new):
        yield _other_value(path, before.value, now.value)
        return
    for step in [*old, *(step for step in new if step not in old)]:
        if step in old and step in new:
            yield from _differences(path + step, old[step], new[step], exact=exact)
        elif step in new:
            yield Difference(path + step, f"was not there, now {in_short(new[step].value)}", Kind.STATIC)
        else:
            yield Difference(path + step, f"was {in_short(old[step].value)}, now not there", Kind.STATIC)


def _equal(old: Any, new: Any) -> bool:
    """Compares as Python's containers do; values that cannot be compared are not equal."""
    if old is new:
        return True
    try:
        return bool(old == new)
    except Exception:
        return False


def _same(old: Any, new: Any) -> bool:
    """Compares exactly: zeros have a sign, and NaN equals itself."""
    return repr(old) == repr(new) if isinstance(old, float) else _equal(old, new)


def _leaf(path: str, old: Any, new: Any) -> Difference:
    if isinstance(new, float) and old != old and new != new:
        return Difference(path, _NAN, Kind.STATIC, "static-hash")
    if isinstance(new, jax.Array | np.ndarray):
        return _refused(path, Refused(Reason.ARRAY, class_name(type(new))))
    if isinstance(new, _DEFINED) and _definition(old) == _definition(new):
        return _new_each_time(path, old, new)
    return _other_value(path, old, new)


def _definition(value: Any) -> object:
    """Returns where a function or class was written: the same for all that one `def`, `lambda` or `class` makes."""
    if isinstance(value, type):
        return value.__module__, value.__qualname__
    return getattr(underlying(value), "__code__", value)


def _new_each_time(path: str, old: Any, new: Any) -> Difference:
    """Describes two objects without a differing part, or two functions of the same definition."""
    if isinstance(new, _DEFINED):
        return _refused(path, refusal_of(new))
    if isinstance(new, float):
        return _leaf(path, old, new)
    try:
        check_hash(new)
    except Refused as refused:
        return _refused(path, refused)
    says = f"{in_short(new)} is not equal to {in_short(old)}, though no part of it differs"
    return Difference(path, f"{says}; look at {class_name(type(new))}.__eq__", Kind.STATIC, "static-hash")


def _other_value(path: str, old: Any, new: Any) -> Difference:
    return Difference(path, transition(old, new), Kind.STATIC)


def _refused(path: str, refused: Refused) -> Difference:
    """Describes the refusal in the words of the checker's rule."""
    words = WORDS[refused.reason]
    says, advice = (text.format(**refused.fill) for text in (words.says, words.advice))
    return Difference(path, f"{says}; {advice}", Kind.STATIC, words.code)


def _as_changed(difference: Difference, value: Any, which: str) -> Difference:
    try:
        check_frozen(value)
        advice = "make a new object instead"
    except Refused as refused:
        advice = WORDS[refused.reason].advice.format(**refused.fill)
    says = f"{difference.says}, in {which}, which changed after it was hashed; {advice}"
    return difference._replace(says=says, code="static-mutable")


def _hash_differs(path: str, before: Snapshot, now: Snapshot) -> tuple[Difference, ...]:
    changed = _by_parts(path, before, now, exact=False)
    copies = Refused(Reason.COPY_NOT_HASHED_ALIKE, in_short(now.value), "an earlier one")
    return tuple(_as_changed(difference, now.value, "the same object") for difference in changed) or (
        _refused(path, copies),
    )


def _changed_since(path: str, before: Snapshot) -> tuple[Difference, ...]:
    """Describes how the earlier value, and so JAX's key, has changed; unimportant for comparison by identity."""
    if is_hashed_by_identity(type(before.value)):
        return ()
    changed = _by_parts(path, before, snapshot_of(before.value), exact=False)
    return tuple(_as_changed(difference, before.value, "the object of that call") for difference in changed)
