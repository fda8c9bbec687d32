"""Runs programs before and after the command changed them."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from tests.rules.alone import alone

Files = Mapping[str, str]
_OF_LOOPS = (StopIteration, GeneratorExit)


class Ran(NamedTuple):
    """What a program printed, and what it raised, even where it caught it."""

    out: str
    raised: tuple[str, ...]


def read(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.py")}


def run_program(files: Files, folder: Path, entry: str = "main.py") -> Ran:
    """Writes a program into a folder, and runs it. The folder's name must not differ between runs that are compared."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    out, raised = StringIO(), list[str]()
    tracing = sys.gettrace()
    with alone(folder, files), redirect_stdout(out):
        sys.settrace(_noting(raised, str(folder)))
        try:
            runpy.run_path(str(folder / entry), run_name="__main__")
        except (Exception, SystemExit) as error:
            raised.append(f"{type(error).__name__}: {error}")
        finally:
            sys.settrace(tracing)
    return Ran(out.getvalue(), tuple(raised))


def _noting(raised: list[str], folder: str) -> Any:
    """A trace function that notes exceptions which reach code of a folder."""

    def in_program(frame: FrameType, event: str, value: Any) -> Any:
        if event == "exception" and not issubclass(value[0], _OF_LOOPS):
            raised.append(f"{value[0].__name__}: {value[1]}")
        return in_program

    def on_call(frame: FrameType, event: str, value: Any) -> Any:
        return in_program if frame.f_code.co_filename.startswith(folder) else None

    return on_call


def difference(before: Files, after: Files, folder: Path, entry: str = "main.py") -> str:
    """How the output changed; empty if it did not, or if the program raised before."""
    first = run_program(before, folder, entry)
    if first.raised:
        return ""
    second = run_program(after, folder, entry)
    return "" if second == first else f"{first.out}\nbecame\n{second.out}{second.raised}"
