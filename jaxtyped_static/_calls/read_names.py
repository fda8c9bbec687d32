"""Finds the names of the attributes that a program may depend on: those read by the code that ran in its trace.

A change of any other attribute cannot have changed what JAX would trace now. While a call is looked up, the thread's
profile function notes which code runs. Nothing is noted if somebody else, such as a profiler, has set that function.
"""

from __future__ import annotations

import dis
import functools
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, TypeAlias

from jaxtyped_static._annotations.installed import folders

# None: any attribute may have been read.
Names: TypeAlias = frozenset[str] | None

_READS: Final = frozenset({"LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "LOAD_SUPER_METHOD"})
_NAMES: Final = frozenset({*_READS, "LOAD_GLOBAL", "LOAD_NAME"})
_COMPARES: Final = frozenset({"__eq__", "__hash__"})
# With these, code reads attributes whose names it does not contain.
_READ_ANY: Final = frozenset({"getattr", "vars", "__dict__", "asdict", "astuple", "attrgetter"})


class _Reading:
    """The code that ran while one call was looked up."""

    __slots__ = ("codes", "is_complete", "names")

    def __init__(self, *, is_complete: bool) -> None:
        self.codes: set[CodeType] = set()
        self.names: frozenset[str] = frozenset()
        self.is_complete = is_complete


class _Thread(threading.local):
    def __init__(self) -> None:
        self.readings: list[_Reading] = []


_thread: Final = _Thread()


def begin_reading() -> None:
    """Begins to note which code runs in this thread; what runs in a reading inside of another belongs to both."""
    current: Any = sys.getprofile()
    if current is None:
        sys.setprofile(_note)
    _thread.readings.append(_Reading(is_complete=current is None or current is _note))


def end_reading() -> Names:
    """Returns the names of the attributes that were read since `begin_reading`."""
    reading = _thread.readings.pop()
    if not _thread.readings and sys.getprofile() is _note:
        sys.setprofile(None)
    found = [names_read(code) for code in reading.codes]
    known = [names for names in found if names is not None]
    names = reading.names.union(*known) if reading.is_complete and len(known) == len(found) else None
    also_read(names)
    return names


def also_read(names: Names) -> None:
    """Adds to the reading in progress what a program read that it uses."""
    if not _thread.readings:
        return
    reading = _thread.readings[-1]
    reading.is_complete = reading.is_complete and names is not None
    reading.names |= names or frozenset()


def _note(frame: FrameType, event: str, _: object) -> None:
    if event != "call":  # Most events are calls of C functions, and returns.
        return
    code = frame.f_code
    if _thread.readings and not (code.co_name in _COMPARES and _is_look_up(frame.f_back)):
        _thread.readings[-1].codes.add(code)


def _is_look_up(frame: FrameType | None) -> bool:
    """Returns whether JAX compares static arguments, to find a program."""
    while frame is not None and frame.f_code.co_name in _COMPARES:
        frame = frame.f_back
    return frame is not None and _is_machinery(frame.f_code.co_filename)


@functools.lru_cache(maxsize=1 << 14)
def names_read(code: CodeType) -> Names:
    """Returns the names of the attributes that code reads; none for JAX's, NumPy's, Python's and our own."""
    if _is_machinery(code.co_filename):
        return frozenset()
    instructions = list(dis.get_instructions(code))
    names = {each.argval for each in instructions if each.opname in _NAMES}
    is_installed = code.co_filename.startswith(folders("purelib", "platlib"))
    if not is_installed and (names & _READ_ANY or any(each.opname == "MATCH_CLASS" for each in instructions)):
        return None
    return frozenset(_attributes(instructions))


def _attributes(instructions: list[dis.Instruction]) -> Iterator[str]:
    """Yields the attributes that are read, without `counter` in `self.counter += 1`, which only goes back to itself.

    That statement copies the object before it reads the attribute; no other expression does.
    """
    before = None
    for each in instructions:
        if each.opname in _READS and before != "COPY":
            yield each.argval
        before = each.opname if each.opname != "EXTENDED_ARG" else before


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
