"""Runs a kind of compilation, and holds what was recorded, and JAX's own events, against its marks."""

from __future__ import annotations

import ast
import contextlib
import re
import sys
import tempfile
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Final

import jax
import jax.monitoring

from jaxtyped_static._record import record
from jaxtyped_static_runs.model import Preparation, Run, What
from tests.runtime.kinds_of_compilations.kind import Kind, Mark, Program, read

_COMPILED: Final = "/jax/core/compile/backend_compile_duration"
_NO_LINE: Final = 0
_OPEN: Final = ("operations", "maybe operations", "several")  # Any number of programs.


class _Truth:
    """The lines of a program that were running when JAX compiled, as JAX's own events say."""

    def __init__(self) -> None:
        self.file = ""
        self.lines: list[int] = []
        self.is_on = False

    def add(self, event: str, duration_secs: float, **_: Any) -> None:
        """Called by JAX."""
        if self.is_on and event == _COMPILED:
            self.lines.append(self._line(sys._getframe(1)))

    def _line(self, frame: FrameType | None) -> int:
        while frame is not None and frame.f_code.co_filename != self.file:
            frame = frame.f_back
        return _NO_LINE if frame is None else frame.f_lineno


_clear_caches: Final[Callable[[], None]] = jax.clear_caches


def failures_of(kind: Kind, *, recorded: bool = True) -> list[str]:
    """Returns what is wrong with the recording of a kind; `recorded`: whether to record it at all."""
    program = read(kind)
    # Another test may have taken all listeners away, and JAX has no public function to take away this one alone.
    truth = _Truth()
    jax.monitoring.register_event_duration_secs_listener(truth.add)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder).resolve() / "program.py"
        file.write_text(program.text, encoding="utf-8")
        return _failures(program, str(file), truth, recorded=recorded)


def _failures(program: Program, file: str, truth: _Truth, *, recorded: bool) -> list[str]:
    module = sys.modules["program"] = ModuleType("program")  # Dataclasses look it up.
    module.__file__ = file
    _clear_caches()
    try:
        _run(program.before, file, module)
    except Exception as raised:
        return [f"raised before it was recorded: {raised!r}"]
    truth.file, truth.lines = file, []
    error: BaseException | None = None
    report = record()
    with report if recorded else contextlib.nullcontext():
        truth.is_on = True
        try:
            _run(program.recorded, file, module)
        except Exception as raised:
            error = raised
        finally:
            truth.is_on = False
    if error is not None:
        return [f"raised {''.join(traceback.format_exception(error))}"]
    found = list(_untrue(program, truth.lines))
    if recorded and not found:
        found += _wrong(program, file, report.run, truth.lines)
        found += [f"the report raises {error}" for error in _raised_by(report)]
    return found


def _run(code: ast.Module, file: str, module: ModuleType) -> None:
    exec(compile(code, file, "exec", dont_inherit=True), vars(module))


def _raised_by(report: object) -> Iterator[str]:
    try:
        str(report)
    except Exception as error:
        yield repr(error)


def _untrue(program: Program, compiled: Sequence[int]) -> Iterator[str]:
    """Yields where JAX itself compiles more or less than the marks say."""
    truth = Counter(compiled)
    for line, marks in _by_line(program).items():
        exact = sum(mark.what in ("first", "again", "operation") for mark in marks)
        least = exact + any(mark.what in ("operations", "several") for mark in marks)
        count = truth.pop(line, 0)
        if count < least or (count > exact and not any(mark.what in _OPEN for mark in marks)):
            yield f"NOT TRUE of JAX: line {line} compiles {count} programs; {', '.join(map(str, marks))}"
    for line, count in truth.items():
        yield f"NOT TRUE of JAX: line {line} compiles {count} programs, and has no mark"


def _by_line(program: Program) -> dict[int, list[Mark]]:
    lines: defaultdict[int, list[Mark]] = defaultdict(list)
    for mark in program.marks:
        lines[mark.line].append(mark)
    return lines


def _wrong(program: Program, file: str, run: Run, compiled: Sequence[int]) -> Iterator[str]:
    """Yields where the recording is not what the marks say."""
    preparations = [preparation for preparation in run.preparations if preparation.what is not What.TRACED]
    if len(preparations) != len(compiled):
        yield f"JAX compiled {len(compiled)} programs; recorded {len(preparations)}: {_shown(run.preparations)}"
    lost = run.not_attributed
    if lost.lowering > 1e-9 or lost.compiling > 1e-9:
        yield f"not attributed: {lost}"
    at: defaultdict[int, list[Preparation]] = defaultdict(list)
    for preparation in run.preparations:
        asking = preparation.line
        at[asking.line if asking is not None and asking.file == file else _NO_LINE].append(preparation)
    lines = _by_line(program)
    for line in sorted({*lines, *at}):
        yield from _wrong_at(line, lines.get(line, []), at.get(line, []), program, file)


def _wrong_at(
    line: int, marks: Sequence[Mark], found: Sequence[Preparation], program: Program, file: str
) -> Iterator[str]:
    left, missing = list(found), []
    for mark in marks:
        if mark.what in _OPEN:
            taken = [one for one in left if not tuple(_unlike(mark, one, program, file))]
            reasons = "\n".join(str(reason) for one in taken for reason in one.reasons)
            if (not taken and mark.what != "maybe operations") or mark.reason not in reasons:
                missing.append(mark)
            left = [one for one in left if one not in taken]
            continue
        fits = next((one for one in left if not tuple(_unlike(mark, one, program, file))), None)
        if fits is not None:
            left.remove(fits)
        elif mark.what != "maybe traced":
            missing.append(mark)
    if missing:
        yield f"expected {', '.join(map(str, missing))}; recorded {_shown(found)}"
    elif left:
        yield f"line {line or 'unknown'}: not expected {_shown(left)}"


def _unlike(mark: Mark, found: Preparation, program: Program, file: str) -> Iterator[str]:
    """Yields in what a preparation is unlike a mark."""
    if mark.what in ("operations", "maybe operations", "operation"):
        if found.what is not What.OPERATION or (mark.name and not re.fullmatch(mark.name, found.function.name)):
            yield "another operation"
        return
    kinds = {"several": (What.FIRST, What.AGAIN), "maybe traced": (What.TRACED,)}
    if found.what not in kinds.get(mark.what, () if mark.what in kinds else (What(mark.what),)):
        yield "another kind"
    if mark.name.startswith("*"):
        if found.function.name.rpartition(".")[2] != mark.name[1:]:
            yield "another name"
    else:
        around, inner = _taken_apart(mark.name)
        definition = program.definitions[inner]
        place = found.function.file == file and found.function.line in definition.lines
        if found.function.name != f"{around}{definition.name}{')' * around.count('(')}" or not place:
            yield "another function"
    if mark.what == "again" and mark.reason not in "\n".join(map(str, found.reasons)):
        yield "another reason"


def _taken_apart(name: str) -> tuple[str, str]:
    """Returns what transforms a function, and that function's name: `grad(` and `loss`."""
    around, opening, inner = name.rpartition("(")
    return around + opening, inner.rstrip(")")


def _shown(found: Sequence[Preparation]) -> str:
    return (
        " + ".join(
            f"{one.what.value} {one.function.name}@{one.function.line or '?'}"
            f"{'' if one.line is None else f' (line {one.line.line})'}"
            f"{_because(one)}"
            for one in found
        )
        or "nothing"
    )


def _because(preparation: Preparation) -> str:
    return f" <- {' / '.join(map(str, preparation.reasons))}" if preparation.reasons else ""
