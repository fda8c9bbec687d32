"""Finds the names of the attributes that a program may depend on: those read by the code that ran in its trace.

A change of any other attribute cannot have changed what JAX would trace now. While a call is looked up, the thread's
profile function notes which code runs. Nothing is noted if somebody else, such as a profiler, has set that function.
Finalisers that the garbage collector happens to run in the meantime, and listeners that JAX tells how long it traces,
are no part of the program.
"""

from __future__ import annotations

import builtins
import contextlib
import dis
import functools
import gc
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

from jax import monitoring

from jaxtyped_static._calls.flows import HARMLESS, OPERATORS, Flows, flows_in, names_reached
from jaxtyped_static._singletons.installed import folders

# None: any attribute may have been read.
Names: TypeAlias = frozenset[str] | None


class Reads(NamedTuple):
    """What the code of a program reads.

    Attributes:
        names: the attributes that its results may depend on.
        flows: all that is known; a program that calls this one may read what it only stores.
    """

    names: frozenset[str]
    flows: Flows


class Noted(NamedTuple):
    """What was noted while a call was looked up.

    Attributes:
        reads: what its code reads; None if that is not known.
        codes: the code that ran; None if that is not known.
    """

    reads: Reads | None
    codes: frozenset[CodeType] | None


_READS: Final = frozenset({"LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "LOAD_SUPER_METHOD"})
_NAMES: Final = frozenset({*_READS, "LOAD_GLOBAL", "LOAD_NAME"})
_COMPARES: Final = frozenset({"__eq__", "__hash__"})
# With these, code reads attributes whose names it does not contain.
_READ_ANY: Final = frozenset({"getattr", "vars", "__dict__", "asdict", "astuple", "attrgetter"})
# Python calls these instead of what a statement says, with the values that flow in it.
_SETTERS: Final = frozenset({"__set__", "__setattr__", "__setitem__"})
_ARITHMETIC: Final = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"),
)
_OPERATORS: Final = _SETTERS.union(f"__{kind}{name}__" for name in _ARITHMETIC for kind in ("", "r", "i"))
# Their functions return the time, or a number that depends on their arguments alone.
_HARMLESS_MODULES: Final = frozenset({"time", "datetime", "math"})
_MONITORING: Final = monitoring.record_event.__code__.co_filename


class _Reading:
    """The code that ran while one call was looked up."""

    __slots__ = ("codes", "inner", "is_complete", "sees_all", "sets_profile")

    def __init__(self, *, sets_profile: bool, is_complete: bool) -> None:
        self.sets_profile = sets_profile
        self.codes: dict[CodeType, dict[str, Any]] = {}  # With its globals.
        self.inner: list[Flows] = []
        self.is_complete = self.sees_all = is_complete


class _ThreadReadings(threading.local):
    def __init__(self) -> None:
        self.readings: list[_Reading] = []
        self.is_collecting = False


_thread: Final = _ThreadReadings()


def begin_reading() -> None:
    """Begins to note which code runs in this thread; what runs in a reading inside of another belongs to both."""
    current: Any = sys.getprofile()
    reading = _Reading(sets_profile=current is None, is_complete=current is None or current is _note)
    _thread.readings.append(reading)  # First: in a new thread this runs code, which `_note` must not see yet.
    if reading.sets_profile:
        gc.callbacks.insert(0, _begin_collection)  # Around the callbacks of others, such as Hypothesis.
        gc.callbacks.append(_end_collection)
        sys.setprofile(_note)


def end_reading() -> Noted:
    """Returns what was noted since `begin_reading`."""
    reading = _thread.readings.pop()
    if reading.sets_profile:
        if sys.getprofile() is _note:
            sys.setprofile(None)
        gc.callbacks.remove(_begin_collection)
        gc.callbacks.remove(_end_collection)
    reads = _reads_of(reading) if reading.is_complete else None
    also_read(reads)
    return Noted(reads, frozenset(reading.codes) if reading.sees_all else None)


def also_read(reads: Reads | None) -> None:
    """Adds to the reading in progress what a program read that it uses."""
    if not _thread.readings:
        return
    reading = _thread.readings[-1]
    if reads is None:
        reading.is_complete = False
    else:
        reading.inner.append(reads.flows)


def _reads_of(reading: _Reading) -> Reads | None:
    found = [flows_of(code, _harmless(code, names)) for code, names in reading.codes.items()]
    known = [flows for flows in found if flows is not None]
    if len(known) < len(found):
        return None
    parts = [*known, *reading.inner]
    read = frozenset[str]().union(*(part.read for part in parts))
    flows = frozenset[tuple[str, str]]().union(*(part.flows for part in parts))
    return Reads(names_reached(read, flows), Flows(read, flows))


def _begin_collection(phase: str, _: object) -> None:
    if phase == "start":  # In the thread that collects.
        _thread.is_collecting = True


def _end_collection(phase: str, _: object) -> None:
    if phase == "stop":
        _thread.is_collecting = False


def _note(frame: FrameType, event: str, _: object) -> None:
    if event != "call" or _thread.is_collecting:  # Most events are calls of C functions, and returns.
        return
    code = frame.f_code
    if not _thread.readings or code in (codes := _thread.readings[-1].codes):
        return
    if not (code.co_name in _COMPARES and _is_look_up(frame.f_back)) and not _is_listening(frame):
        codes[code] = frame.f_globals


def _is_look_up(frame: FrameType | None) -> bool:
    """Returns whether JAX compares static arguments, to find a program."""
    while frame is not None and frame.f_code.co_name in _COMPARES:
        frame = frame.f_back
    return frame is not None and _is_machinery(frame.f_code.co_filename)


def _is_listening(frame: FrameType | None) -> bool:
    """Returns whether JAX tells a listener of an event, which changes nothing in what it traces."""
    while frame is not None and not _is_machinery(frame.f_code.co_filename):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename == _MONITORING


def _harmless(code: CodeType, names: dict[str, Any]) -> frozenset[str]:
    """Returns the globals of a function, as it names them, that keep nothing of what they get."""
    return frozenset() if _is_machinery(code.co_filename) else frozenset(_harmless_names(code.co_names, names))


def _harmless_names(used: tuple[str, ...], names: dict[str, Any]) -> Iterator[str]:
    for name in used:
        if name not in names:
            if name in HARMLESS and hasattr(builtins, name):
                yield name
            continue
        value = names[name]
        module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        if type(module) is str and module in _HARMLESS_MODULES:
            yield name


@functools.lru_cache(maxsize=1 << 14)
def flows_of(code: CodeType, harmless: frozenset[str]) -> Flows | None:
    """Returns what code reads, none for JAX's, NumPy's, Python's and our own; None if that may be any attribute."""
    if _is_machinery(code.co_filename):
        return Flows()
    instructions = list(dis.get_instructions(code))
    if code.co_filename.startswith(folders("purelib", "platlib")):
        return Flows(frozenset(_attributes(instructions)))
    names = {instruction.argval for instruction in instructions if instruction.opname in _NAMES}
    if names & _READ_ANY or any(instruction.opname == "MATCH_CLASS" for instruction in instructions):
        return None
    found = None
    with contextlib.suppress(RecursionError, ValueError):  # Of a long sum, or an unreadable source.
        found = flows_in(code, attributes_read(code), harmless)
    found = found or Flows(frozenset(_attributes(instructions)))
    runs = {f"{code.co_name}()", *([OPERATORS] if code.co_name in _OPERATORS else ())}
    return found._replace(read=found.read | runs)


def attributes_read(code: CodeType) -> Iterator[str]:
    """Yields the attributes in the instructions of code, without those of nested functions."""
    return (found.argval for found in dis.get_instructions(code) if found.opname in _READS)


def _attributes(instructions: list[dis.Instruction]) -> Iterator[str]:
    """Yields the attributes that are read, without `counter` in `self.counter += 1`, which only goes back to itself.

    That statement copies the object before it reads the attribute; no other expression does.
    """
    before = None
    for instruction in instructions:
        if instruction.opname in _READS and before != "COPY":
            yield instruction.argval
        before = instruction.opname if instruction.opname != "EXTENDED_ARG" else before


def is_of_user(code: CodeType) -> bool:
    """Returns whether code belongs to the program, not to Python or an installed package."""
    return not _is_machinery(code.co_filename) and not code.co_filename.startswith(folders("purelib", "platlib"))


@functools.lru_cache(maxsize=1 << 12)
def _is_machinery(file: str) -> bool:
    if file.startswith((*_packages(), "<frozen ")):
        return True
    return file.startswith(folders("stdlib", "platstdlib")) and not file.startswith(folders("purelib", "platlib"))


@functools.cache
def _packages() -> tuple[str, ...]:
    modules = (sys.modules.get(name) for name in ("jax", "jaxlib", "numpy"))
    files = [Path(file).parent for module in modules if (file := getattr(module, "__file__", None)) is not None]
    return tuple(f"{folder}{os.sep}" for folder in (*files, Path(__file__).parents[1]))
