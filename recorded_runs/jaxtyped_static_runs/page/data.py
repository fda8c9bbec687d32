"""A run, and what cost most in it, as the page's scripts read it: functions, frames and stacks are meant by number."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final, Generic, TypeVar

from jaxtyped_static_runs.model import Frame, Function, Preparation, Run, Seconds, What
from jaxtyped_static_runs.ranking import (
    by_library_line,
    by_user_line,
    compiled_again,
    of_kind,
    outside_of_jit,
    seconds_of,
)

T = TypeVar("T", bound=Hashable)

_LONGEST_SOURCE: Final = 300


def data_of(run: Run, source: Callable[[str, int], str] | None = None) -> dict[str, Any]:
    """Returns the data; `source`: as in `page`."""
    return _Data(source).of(run)


class _Numbered(Generic[T]):
    """Values, each once."""

    def __init__(self) -> None:
        self._numbers: dict[T, int] = {}

    def number(self, value: T) -> int:
        return self._numbers.setdefault(value, len(self._numbers))

    def values(self) -> Iterable[T]:
        return self._numbers


class _Data:
    def __init__(self, source: Callable[[str, int], str] | None) -> None:
        self._source = source
        self._functions: _Numbered[Function] = _Numbered()
        self._frames: _Numbered[Frame] = _Numbered()
        self._stacks: _Numbered[tuple[Frame, ...]] = _Numbered()

    def of(self, run: Run) -> dict[str, Any]:
        return {
            **_head(run),
            "preparations": [self._preparation(preparation) for preparation in run.preparations],
            "again": self._again(run),
            "operations": [
                {**self._line(line, seconds, programs), "names": list(names)}
                for line, seconds, programs, names, _ in outside_of_jit(run)
            ],
            "user_lines": [self._line(*found) for found in by_user_line(run)],
            "library_lines": [self._line(*found) for found in by_library_line(run)],
            # Last, when all are numbered.
            "functions": [list(function) for function in self._functions.values()],
            "stacks": [[self._frames.number(frame) for frame in stack] for stack in self._stacks.values()],
            "frames": [[*frame, self._source_of(frame)] for frame in self._frames.values()],
        }

    def _preparation(self, preparation: Preparation) -> dict[str, Any]:
        line, library_line = preparation.line, preparation.library_line
        return {
            "number": preparation.number,
            "function": self._functions.number(preparation.function),
            "what": preparation.what.value,
            "at": round(preparation.at, 6),
            "seconds": _rounded(preparation.seconds),
            "stack": self._stacks.number(preparation.stack),
            "line": None if line is None else self._frames.number(line),
            "library_line": None if library_line is None else self._frames.number(library_line),
            "reasons": [list(reason) for reason in preparation.reasons],
            "like": preparation.like,
            "on_disk": preparation.on_disk,
            "thread": preparation.thread,
        }

    def _again(self, run: Run) -> list[dict[str, Any]]:
        return [
            {
                **self._line(again.line, again.seconds, again.programs),
                "function": self._functions.number(again.function),
                "by_reason": [
                    {
                        "reasons": [list(reason) for reason in by_reason.reasons],
                        "seconds": round(by_reason.seconds, 6),
                        "programs": by_reason.programs,
                        "varies": by_reason.varies,
                    }
                    for by_reason in again.by_reason
                ],
            }
            for again in compiled_again(run)
        ]

    def _line(self, line: Frame | None, seconds: float, programs: int) -> dict[str, Any]:
        return {
            "line": None if line is None else self._frames.number(line),
            "seconds": round(seconds, 6),
            "programs": programs,
        }

    def _source_of(self, frame: Frame) -> str:
        return self._source(frame.file, frame.line).strip()[:_LONGEST_SOURCE] if self._source is not None else ""


def _head(run: Run) -> dict[str, Any]:
    return {
        "program": run.program,
        "seconds": run.seconds,
        "ended": run.ended,
        "versions": dict(run.versions),
        "started": run.started,
        "folder": run.folder,
        "processes": run.processes,
        "preparing": _rounded(run.preparing),
        "not_attributed": _rounded(run.not_attributed),
        "not_listed": run.not_listed,
        "unknown": list(run.unknown),
        "totals": {what.value: _total(of_kind(run, what)) for what in What},
    }


def _total(preparations: tuple[Preparation, ...]) -> dict[str, Any]:
    functions = {preparation.function for preparation in preparations}
    seconds = round(seconds_of(preparations), 6)
    return {"seconds": seconds, "programs": len(preparations), "functions": len(functions)}


def _rounded(seconds: Seconds) -> list[float]:
    return [round(part, 6) for part in seconds]
