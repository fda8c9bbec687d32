"""`record` says what JAX prepares in a block: each compilation, what it cost, and why it was needed."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from jaxtyped_static._recording.recorder import Recorder
    from jaxtyped_static_runs.model import Run

__all__ = ["Recording", "record"]


def record() -> Recording:
    """Records what JAX traces, lowers and compiles in a block: `with record() as report: ...`, then `print(report)`.

    All threads are recorded, and every kind of compiled function, also of libraries, as well as operations outside of
    jit. A call that JAX has a program for costs nothing extra. To record a whole program, run it with
    `jaxtyped-static run`, or set `JAXTYPED_STATIC=record`.
    """
    return Recording()


class Recording:
    """What JAX prepared in a block. `print` shows the report; in a notebook, it is the value of a cell."""

    def __init__(self) -> None:
        self._recorder: Recorder | None = None
        self._run: Run | None = None
        self._started = self._folder = ""

    def __enter__(self) -> Self:
        # Imported on use: this is a quarter of the package, and few programs need it.
        from jaxtyped_static._recording.recorder import Recorder
        from jaxtyped_static._recording.stacks import Places, current_folder

        if self._recorder is not None:
            raise RuntimeError("this recording has been used; call record() for each block")
        self._started = datetime.now().astimezone().isoformat(timespec="seconds")
        self._folder = current_folder()
        self._recorder = Recorder(Places(self._folder))
        self._recorder.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._recorder is not None:
            ended = "exit 0" if kind is None else kind.__name__
            self._recorder.stop(ended)
            self._run = self._recorder.run(self._header(), ended)

    @property
    def run(self) -> Run:
        """What was recorded so far, as data.

        Raises:
            RuntimeError: the block was not entered.
        """
        if self._run is not None:
            return self._run
        if self._recorder is None:
            raise RuntimeError("nothing was recorded; write `with record() as report:` around the calls")
        return self._recorder.run(self._header(), "running")

    def save(self, file: str | Path) -> None:
        """Writes a file that `jaxtyped-static report` reads.

        Raises:
            RuntimeError: the block was not entered.
            OSError: the file cannot be written.
        """
        # Imported on use, as are the others below: few programs need them.
        from jaxtyped_static_runs.journal import write_run

        with Path(file).open("w", encoding="utf-8") as target:
            write_run(self.run, target)

    def _header(self) -> dict[str, Any]:
        # Imported on use, too.
        from jaxtyped_static._recording.process import versions

        program = Path(sys.argv[0]).name or "python"
        return {"program": program, "started": self._started, "folder": self._folder, "versions": versions()}

    def __str__(self) -> str:
        # Imported on use, too.
        from jaxtyped_static_runs.text import report

        return report(self.run)

    def _repr_html_(self) -> str:
        # Imported on use, too.
        from jaxtyped_static._traces.report import report_html

        return report_html(str(self))
