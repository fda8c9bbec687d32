"""Tells whether a `__new__` without arguments was called for a raw object, or by a call of the class.

`Cfg()` and `Cfg.__new__(Cfg)` look the same to `__new__`. The first needs the shared object of the default values. The
second needs an empty object to fill in, which must not be the shared one.
"""

from __future__ import annotations

import dis
import functools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType


class _ThreadExpectation(threading.local):
    is_expecting = False


_thread = _ThreadExpectation()


@contextmanager
def expecting_raw_objects() -> Iterator[None]:
    """A context in which, in this thread, C code calls `__new__` for raw objects without leaving a frame."""
    before, _thread.is_expecting = _thread.is_expecting, True
    try:
        yield
    finally:
        _thread.is_expecting = before


def wants_raw_object() -> bool:
    """Returns whether the calling `__new__` was called for a raw object."""
    caller = sys._getframe(2)
    if _thread.is_expecting:
        return True
    return "__new__" in caller.f_code.co_names and _is_call_by_name(caller.f_code, caller.f_lasti)


@functools.lru_cache(maxsize=256)
def _is_call_by_name(code: CodeType, at: int) -> bool:
    """Returns whether the instruction at this offset is the call in `cls.__new__(...)`.

    If so, its source range begins where that of an earlier instruction begins, which looks up the name.
    """
    starts = [(line, column) for line, _, column, _ in code.co_positions()]
    return any(
        instruction.argval == "__new__"
        and instruction.opname != "LOAD_CONST"
        and starts[offset // 2] == starts[at // 2]
        for instruction in dis.get_instructions(code)
        if (offset := instruction.offset) < at
    )
