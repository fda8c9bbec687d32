"""Records a whole process: into a file, line by line, so that what a killed process did is there."""

from __future__ import annotations

import atexit
import multiprocessing.util
import os
import platform
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

import jax

from jaxtyped_static._recording.jax_names import backends_exist
from jaxtyped_static._recording.recorder import Recorder
from jaxtyped_static._recording.requests import Request, refusal
from jaxtyped_static._recording.stacks import Places, current_folder
from jaxtyped_static._recording.verifying import Verification
from jaxtyped_static_runs.files import beside, file_of, make_folder, new_file
from jaxtyped_static_runs.journal import Journal
from jaxtyped_static_runs.model import Reason
from jaxtyped_static_runs.options import Options
from jaxtyped_static_runs.passes import Passes
from jaxtyped_static_runs.text import report, visible


class ProcessRecording:
    """The recording of this process, until it ends.

    Attributes:
        ended: how the program ended, in words.
    """

    def __init__(self, program: str, options: Options, passes: Passes | None) -> None:
        self.ended = "exit 0"
        self._program = program
        self._options = options
        self._file = Path(options.file) if options.file else new_file(Path(program.split()[0]).stem)
        self._process = options.process or os.getpid()
        self._started = datetime.fromtimestamp(options.began or time.time()).astimezone().isoformat(timespec="seconds")
        self._folder = current_folder()
        self._places = Places(self._folder, options.own)
        journal = Journal(self._open, self._header)
        self._recorder = Recorder(self._places, journal, passes, began=options.began)

    def begin(self) -> None:
        """Begins to record, until the process ends."""
        self._recorder.start()
        if self._options.verifies:
            self._recorder.verification = Verification(self._places)
        if self._options.warm_after is not None:
            self._recorder.asked = self._refuse_when_warm
        os.register_at_fork(after_in_child=self._recorder.forget)
        # A worker of multiprocessing ends without exit handlers, but runs the finalizers that were made in it.
        multiprocessing.util.register_after_fork(self, ProcessRecording._end_with_worker)
        atexit.register(self._end)

    def _end_with_worker(self) -> None:
        multiprocessing.util.Finalize(None, self._end, exitpriority=0)

    def _header(self) -> dict[str, Any]:
        return {
            "program": self._program,
            "started": self._started,
            "folder": self._folder,
            "steps_from": self._options.steps_from,
            "versions": versions(),
        }

    def _path(self) -> Path:
        """The file; a process that another one made has one of its own."""
        number = os.getpid()
        return self._file if number == self._process else file_of(self._file, number)

    def _open(self) -> TextIO:
        make_folder(self._file.parent)
        return self._path().open("w", encoding="utf-8")

    def _refuse_when_warm(self, request: Request, reasons: tuple[Reason, ...]) -> None:
        """Raises where the program compiles after as many steps as it was given to warm up."""
        if self._recorder.step is not None and self._recorder.step > (self._options.warm_after or 0):
            raise refusal(request, reasons)

    def _end(self) -> None:
        self._recorder.stop(self.ended)
        if self._options.says and os.getpid() == self._process:
            print(report(self._recorder.run(self._header(), self.ended)), file=sys.stderr)
            for line in self._last_lines():
                print(visible(line), file=sys.stderr)

    def _last_lines(self) -> list[str]:
        """Where the run is, and the runs of processes that this one made."""
        others = beside(self._file)
        lines = [f"{len(others)} other processes wrote files beside it"] if others else []
        if self._path().is_file():
            lines.append(f"jaxtyped-static report {_shown(self._path())} shows this again")
        return lines


def _shown(path: Path) -> str:
    return os.path.relpath(path) if path.is_relative_to(current_folder()) else str(path)


def record_process(program: str, options: Options, passes: Passes | None = None) -> ProcessRecording:
    """Records this process until it ends.

    Args:
        program: how it is called in reports.
        options: how it is recorded.
        passes: counts the steps.
    """
    recording = ProcessRecording(program, options, passes)
    recording.begin()
    return recording


def record_from_environment() -> None:
    """Records this process, as `JAXTYPED_STATIC=record` asks for."""
    program = " ".join([Path(sys.argv[0]).name or "python", *sys.argv[1:]])
    recording = record_process(program, Options(says=True))
    sys.excepthook = _noting(recording, sys.excepthook)


def _noting(recording: ProcessRecording, show: Callable[..., Any]) -> Callable[..., Any]:
    def note_and_show(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
        recording.ended = kind.__name__
        show(kind, error, at)

    return note_and_show


def versions() -> dict[str, str]:
    """Returns what runs the program. JAX is asked for its devices only if it has looked for them."""
    found = {"jax": jax.__version__, "python": platform.python_version()}
    if backends_exist():
        found["platform"] = jax.default_backend()
        if jax.process_count() > 1:
            found["process"] = f"{jax.process_index()} of {jax.process_count()}"
    return found
