"""Counts how often a line of the program has run, without changing the program. It needs Python 3.12."""

from __future__ import annotations

import os
import sys
from types import CodeType
from typing import Any, Final, NamedTuple

# Python reserves the numbers 0 to 2 and 5 for debuggers, coverage, profilers and optimizers.
_TOOL: Final = 4


class Line(NamedTuple):
    """A line of a file, as the user writes it: `train.py:139`."""

    file: str
    number: int


def line_in(text: str) -> Line:
    """Reads `train.py:139`.

    Raises:
        ValueError: it is not of this form.
    """
    file, _, number = text.rpartition(":")
    if not file or not number.isdecimal() or not int(number):
        raise ValueError(f'"{text}" is no line; write it like train.py:139')
    return Line(file, int(number))


class Passes:
    """Counts the passes of one line, in all threads.

    Attributes:
        count: how often it has begun to run.
    """

    def __init__(self, line: Line) -> None:
        self.count = 0
        self._file = os.path.realpath(line.file)
        self._number = line.number

    def watch(self) -> None:
        """Begins to count.

        Raises:
            RuntimeError: this Python cannot count.
        """
        if sys.version_info < (3, 12):
            raise RuntimeError("counting the passes of a line needs Python 3.12")
        monitoring: Any = sys.monitoring
        monitoring.use_tool_id(_TOOL, "jaxtyped-static")
        monitoring.register_callback(_TOOL, monitoring.events.PY_START, self._starts)
        monitoring.register_callback(_TOOL, monitoring.events.LINE, self._passes)
        monitoring.set_events(_TOOL, monitoring.events.PY_START)

    def _starts(self, code: CodeType, _: int) -> Any:
        """Called when code starts; asks for the lines of code that has the line. Python does not ask about it again."""
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        if os.path.realpath(code.co_filename) == self._file and self._number in {line for *_, line in code.co_lines()}:
            monitoring.set_local_events(_TOOL, code, monitoring.events.LINE)
        return monitoring.DISABLE

    def _passes(self, _: CodeType, line: int) -> Any:
        if line != self._number:
            return sys.monitoring.DISABLE  # type: ignore[attr-defined,unused-ignore]
        self.count += 1
        return None
