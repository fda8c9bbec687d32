"""The file of a run: a header, and then one line of JSON for each thing that happened.

Each line is written when it happens, so what a killed process did is there. Frames and stacks are written once, and
from then on meant by their number. `docs/run-file.md` describes the format.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TextIO

from jaxtyped_static_runs.model import Changed, Frame, Function, Preparation, Reason, Run, Seconds, Verified, What

SCHEMA: Final = 1
FOLDER: Final = ".jaxtyped_static_runs"
SUFFIX: Final = ".jsonl"


class JournalError(ValueError):
    """A file is not that of a run, or of a newer version."""


class Journal:
    """Writes the file of a run, line by line. Its methods must not be called by two threads at a time.

    Args:
        open_file: opens the file; called before the first line is written.
        header: returns `program`, `started`, `folder`, `steps_from` and `versions`, as in `Run`; called then, too.
    """

    def __init__(self, open_file: Callable[[], TextIO], header: Callable[[], Mapping[str, Any]]) -> None:
        self._open_file = open_file
        self._header = header
        self.begin_again()

    def begin_again(self) -> None:
        """Begins another file, as a process does that was forked."""
        self._target: TextIO | None = None
        self._numbers: dict[str, dict[Any, int]] = {"function": {}, "frame": {}, "stack": {}}

    def add(self, preparation: Preparation) -> None:
        """Writes what JAX prepared."""
        line: dict[str, Any] = {
            "prepared": preparation.number,
            "function": self._number("function", preparation.function, list(preparation.function)),
            "what": preparation.what.value,
            "at": round(preparation.at, 6),
            "seconds": [round(part, 6) for part in preparation.seconds],
            "stack": self._stack(preparation.stack),
        }
        optional = {
            "reasons": [list(reason) for reason in preparation.reasons] or None,
            "like": preparation.like,
            "on_disk": preparation.on_disk,
            "thread": preparation.thread or None,
            "step": preparation.step,
        }
        self._write({**line, **{name: value for name, value in optional.items() if value is not None}})

    def end(self, ended: str, seconds: float, not_attributed: Seconds, not_listed: int, unknown: Iterable[str]) -> None:
        """Writes how the run ended; the last line of a run that was not killed."""
        self._write(
            {
                "ended": ended,
                "seconds": round(seconds, 6),
                "not_attributed": [round(part, 6) for part in not_attributed],
                "not_listed": not_listed,
                "unknown": list(unknown),
            }
        )

    def verified(self, verified: Verified) -> None:
        """Writes what became of tracing everything again."""
        changed = [
            [self._number("function", function, list(function)), is_stale, list(differences)]
            for function, is_stale, differences in verified.changed
        ]
        self._write({"verified": verified.programs, "changed": changed, "left_out": verified.left_out})

    def _stack(self, stack: tuple[Frame, ...]) -> int:
        return self._number("stack", stack, [self._number("frame", frame, list(frame)) for frame in stack])

    def _number(self, kind: str, value: Any, written: list[Any]) -> int:
        numbers = self._numbers[kind]
        if value not in numbers:
            numbers[value] = len(numbers)
            self._write({kind: numbers[value], "is": written})
        return numbers[value]

    def _write(self, line: Mapping[str, Any]) -> None:
        if self._target is None:
            self._target = self._open_file()
            self._write({"run": SCHEMA, **self._header()})
        self._target.write(json.dumps(line, separators=(",", ":")) + "\n")
        self._target.flush()


def read_run(file: Path) -> Run:
    """Returns the run in a file.

    Raises:
        JournalError: it is not a file of a run.
        OSError: it cannot be read.
    """
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError:
        raise JournalError(f"{file} is not the file of a run; give a file from {FOLDER}") from None
    return run_in(lines, str(file))


def run_in(lines: Iterable[str], name: str) -> Run:
    """Returns the run that these lines describe.

    Raises:
        JournalError: they are not those of a run; `name` says whose lines they are.
    """
    reading = _Reading(name)
    for text in lines:
        if (line := reading.parsed(text)) is not None:
            reading.take(line)
    return reading.run()


def _refuse(constant: str) -> float:
    """Refuses `NaN` and `Infinity`, which are no JSON."""
    raise ValueError(f"{constant} is no number")


class _Reading:
    """What has been read so far."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._header: dict[str, Any] | None = None
        self._end: dict[str, Any] = {}
        self._functions: list[Function] = []
        self._frames: list[Frame] = []
        self._stacks: list[tuple[Frame, ...]] = []
        self._preparations: list[Preparation] = []
        self._verified: Verified | None = None

    def parsed(self, text: str) -> dict[str, Any] | None:
        """Returns a line's data; None for the last line of a process that was killed while it wrote."""
        try:
            line = json.loads(text, parse_constant=_refuse) if text.strip() else None
        except (ValueError, RecursionError):
            line = None
        if self._header is None and text.strip() and (not isinstance(line, dict) or "run" not in line):
            raise JournalError(f"{self._name} is not the file of a run; give a file from {FOLDER}")
        return line if isinstance(line, dict) else None

    def take(self, line: dict[str, Any]) -> None:
        """Adds a line; one of a kind that is unknown is skipped."""
        with self._damage():
            self._take(line)

    @contextlib.contextmanager
    def _damage(self) -> Iterator[None]:
        """Says of what cannot be read as it should that the file is damaged."""
        try:
            yield
        except JournalError:
            raise
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise JournalError(f"{self._name} is damaged ({type(error).__name__}: {error}); record it again") from None

    def _take(self, line: dict[str, Any]) -> None:
        if "run" in line:
            if int(line["run"]) > SCHEMA:
                newer = f"{self._name} is of a newer version ({line['run']}); install a newer jaxtyped-static"
                raise JournalError(newer)
            self._header = line
        elif "function" in line and "is" in line:
            name, file, number, made_by, is_library, *rest = line["is"]
            names = str(name), str(file), int(number), str(made_by)
            self._functions.append(Function(*names, bool(is_library), *map(int, rest[:1])))
        elif "frame" in line:
            file, number, function, is_library = line["is"]
            self._frames.append(Frame(str(file), int(number), str(function), bool(is_library)))
        elif "stack" in line and "is" in line:
            self._stacks.append(tuple(self._frames[number] for number in line["is"]))
        elif "prepared" in line:
            self._preparations.append(self._preparation(line))
        elif "verified" in line:
            changed = (
                Changed(self._functions[number], bool(is_stale), tuple(map(str, differences)))
                for number, is_stale, differences in line["changed"]
            )
            self._verified = Verified(int(line["verified"]), tuple(changed), int(line["left_out"]))
        elif "ended" in line:
            self._end = line

    def _preparation(self, line: dict[str, Any]) -> Preparation:
        return Preparation(
            number=int(line["prepared"]),
            function=self._functions[line["function"]],
            what=What(line["what"]),
            at=float(line["at"]),
            seconds=Seconds(*map(float, line["seconds"])),
            stack=self._stacks[line["stack"]],
            reasons=tuple(
                Reason(str(path), str(says), None if code is None else str(code))
                for path, says, code in line.get("reasons", ())
            ),
            like=None if line.get("like") is None else int(line["like"]),
            on_disk=line.get("on_disk"),
            thread=str(line.get("thread", "")),
            step=None if line.get("step") is None else int(line["step"]),
        )

    def run(self) -> Run:
        """Returns what was read; without a last line the process was killed."""
        if self._header is None:
            raise JournalError(f"{self._name} is empty; give a file from {FOLDER}")
        with self._damage():
            return self._run(self._header)

    def _run(self, header: Mapping[str, Any]) -> Run:
        last = self._preparations[-1].at if self._preparations else 0.0
        return Run(
            program=str(header["program"]),
            started=str(header.get("started", "")),
            folder=str(header.get("folder", "")),
            steps_from=str(header.get("steps_from", "")),
            versions={str(name): str(value) for name, value in header.get("versions", {}).items()},
            seconds=float(self._end.get("seconds", last)),
            ended=str(self._end.get("ended", "killed")),
            preparations=tuple(self._preparations),
            not_attributed=Seconds(*map(float, self._end.get("not_attributed", ()))),
            not_listed=int(self._end.get("not_listed", 0)),
            verified=self._verified,
            unknown=tuple(map(str, self._end.get("unknown", ()))),
        )


def write_run(run: Run, target: TextIO) -> None:
    """Writes a run that has ended."""
    names = ("program", "started", "folder", "steps_from")
    header = {**{name: getattr(run, name) for name in names}, "versions": dict(run.versions)}
    journal = Journal(lambda: target, lambda: header)
    for preparation in run.preparations:
        journal.add(preparation)
    if run.verified is not None:
        journal.verified(run.verified)
    journal.end(run.ended, run.seconds, run.not_attributed, run.not_listed, run.unknown)
