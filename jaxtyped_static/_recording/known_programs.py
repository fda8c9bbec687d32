"""What was prepared earlier for each function, for comparison. Nothing here keeps a function or an array alive."""

from __future__ import annotations

import contextlib
import weakref
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from jaxtyped_static._recording.calls import without_values
from jaxtyped_static._recording.functions import is_operation, last_name
from jaxtyped_static._recording.origins import origin_of
from jaxtyped_static._recording.placement import moved
from jaxtyped_static._recording.requests import Request
from jaxtyped_static._recording.stacks import Places
from jaxtyped_static._traces.differences import Difference, Kind
from jaxtyped_static._traces.entries import Entry
from jaxtyped_static._traces.entry_differences import nearest
from jaxtyped_static_runs.model import Function, Reason

# Of one function, and of functions; what was used longest ago is forgotten first.
_MAX_PROGRAMS: Final = 32
_MAX_FUNCTIONS: Final = 512
_MAX_REASONS: Final = 10
_NOTHING_SEEN: Final = Reason(
    "", "no visible difference: something else in JAX's context differs, or the earlier program was dropped"
)
_DROPPED: Final = Reason("", "JAX dropped the earlier program, as the function's clear_cache() does")
# Jitted as it stands, a function that reads a changing global variable becomes stale.
_JIT_WHOLE: Final = "jit the whole, and pass what it reads"
_OUTSIDE: Final = Reason("", "it runs outside of jit; jit the function around it, and pass what that reads")
_UNREAD: Final = Reason("", "the values of this call could not be read")
_BACKWARD: Final = Reason("", "for the backward pass of its gradient, outside of jit; jit the function that calls grad")


class KnownProgram:
    """One program of a function.

    Attributes:
        number: of its preparation.
        entry: the call that it was made for; without its static values when the function is gone.
        request: who asked for it.
        is_released: whether the static values are gone.
    """

    __slots__ = ("__weakref__", "entry", "is_released", "number", "request")

    def __init__(self, number: int, entry: Entry, request: Request) -> None:
        self.number = number
        self.entry = entry
        self.request = request._replace(entry=None)
        self.is_released = False

    def release(self) -> None:
        """Lets go of the static values."""
        self.entry = without_values(self.entry)
        self.is_released = True


class Found(NamedTuple):
    """Why a program was prepared, and the number of the one it was compared with; None for the first."""

    reasons: tuple[Reason, ...]
    like: int | None


class KnownPrograms:
    """The programs of each function."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._programs: OrderedDict[Function, list[KnownProgram]] = OrderedDict()
        self._of_function: dict[int, weakref.WeakSet[KnownProgram]] = {}
        self._finalizers: dict[int, weakref.finalize[Any, Any]] = {}

    def why(self, request: Request, *, traced: bool) -> Found:
        """Returns why a program is prepared; `traced`: whether the function was traced for it."""
        if is_operation(request.function):
            return Found((_OUTSIDE,), None)
        if request.is_backward:
            return Found((_BACKWARD,), None)
        if request.entry is None:
            return Found((_UNREAD,), None)
        earlier = self._programs.get(request.function, ())
        return _compared(earlier, request.entry, request, self._places, traced=traced)

    def add(self, number: int, request: Request) -> None:
        """Remembers a program, by the number of its preparation."""
        programs = self._programs.setdefault(request.function, [])
        self._programs.move_to_end(request.function)
        if request.entry is not None:
            programs.append(KnownProgram(number, request.entry, request))
            self._release_with(programs[-1])
        del programs[:-_MAX_PROGRAMS]
        if len(self._programs) > _MAX_FUNCTIONS:
            self._programs.popitem(last=False)

    def _release_with(self, program: KnownProgram) -> None:
        """Lets go of a program's static values with its function, as JAX does."""
        fun = program.entry.function
        if fun is None:
            program.release()
            return
        number = id(fun)
        if number not in self._of_function:
            self._of_function[number] = weakref.WeakSet()
            self._finalizers[number] = weakref.finalize(fun, self._release, number)
            self._finalizers[number].atexit = False
        self._of_function[number].add(program)

    def forget(self) -> None:
        """Lets go of all programs."""
        for finalizer in self._finalizers.values():
            finalizer.detach()
        self._programs.clear()
        self._of_function.clear()
        self._finalizers.clear()

    def _release(self, number: int) -> None:
        self._finalizers.pop(number, None)
        for program in self._of_function.pop(number, ()):
            program.release()


def _compared(earlier: Sequence[KnownProgram], entry: Entry, now: Request, places: Places, *, traced: bool) -> Found:
    if all(program.is_released for program in earlier):
        entry = without_values(entry)  # What cannot be compared is no difference.
    closest = nearest([program.entry for program in earlier], entry)
    if closest is None:
        return Found((), None)
    before = earlier[closest.place]
    moves = moved(before.request.placements, now.placements)
    shown = (one for one in closest.differences if not (moves and _is_of_sharding(one)))
    reasons = tuple(_reason(difference, before.request, now) for difference in shown)[:_MAX_REASONS]
    reasons = tuple(_with_origin(reason, before, places) for reason in reasons)
    if not traced or not reasons:
        reasons = (*moves, *(_transformed(now) if not moves else ()), *reasons)
    reasons = reasons or _other_options(before.request, now) or _transformed_before(before.request, now)
    is_dropped = traced and _has_same_key(before.entry, entry)
    return Found(reasons or (_DROPPED if is_dropped else _NOTHING_SEEN,), before.number)


def _is_of_sharding(difference: Difference) -> bool:
    """Returns whether a difference is that of an array type which follows from where the array is."""
    return difference.path == "mesh" or " over the mesh (" in difference.says


def _transformed(now: Request) -> tuple[Reason, ...]:
    """Returns what transforms a call outside of jit: each size and form of that makes another program."""
    how = now.transformation
    if not how:
        return ()
    return (Reason("", f"called inside {how}, outside of jit, which compiles for each form and size; {_JIT_WHOLE}"),)


def _transformed_before(before: Request, now: Request) -> tuple[Reason, ...]:
    """Returns that the earlier program was for a call inside a transformation, and this one is not."""
    if not before.transformation or now.transformation:
        return ()
    how = f"the earlier program was for a call inside {before.transformation}, outside of jit"
    return (Reason("", f"{how}, which compiles apart; {_JIT_WHOLE}"),)


def _other_options(before: Request, now: Request) -> tuple[Reason, ...]:
    """Returns the options of `jit` by which a function was compiled another time."""
    return tuple(
        Reason("", f"compiled with another {name}: {before.options[name]} → {now.options[name]}")
        for name in now.options
        if before.options.get(name, now.options[name]) != now.options[name]
    )


def _has_same_key(before: Entry, now: Entry) -> bool:
    known = before.whole_context is not None
    return known and before.fun is now.fun and before.whole_context == now.whole_context


def _reason(difference: Difference, before: Request, now: Request) -> Reason:
    if difference.kind is not Kind.FUNCTION:
        return Reason(difference.path, difference.says, difference.code)
    name = f"{last_name(now.function)} ({now.function.place})"
    if before.base is not None and before.base is now.base:
        says = f"jit was applied again to {name}, perhaps of another object or inside another wrapper; apply it once"
    else:
        says = f"{name} is a new function: it was defined and jitted again; do both once"
    captured = _others(before.captured, now.captured)
    statics = _others(before.statics, now.statics)
    says += f" (it captures {captured})" if captured else ""
    says += f"; a static argument differs, too, which needs another program anyway: {statics}" if statics else ""
    return Reason(difference.path, says, difference.code)


def _with_origin(reason: Reason, before: KnownProgram, places: Places) -> Reason:
    """Adds what made the first value, if that was weakly typed: its dtype is missing there."""
    if not reason.says.startswith("weakly typed"):
        return reason
    origin = ""
    with contextlib.suppress(Exception):  # The reason holds without it.
        origin = origin_of(before.entry, reason.path, last_name(before.request.function), before.request.stack, places)
    return reason._replace(says=f"{reason.says}; it is set by {origin}: give that a dtype") if origin else reason


def _others(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Returns which of several values differ, as far as their texts tell."""
    other = [f"{name}: {before[name]} → {now[name]}" for name in now if name in before and before[name] != now[name]]
    return ", ".join(other[:3])
