"""`report`: shows recorded runs, several processes as one, or compared with another run."""

import argparse
import linecache
from collections.abc import Callable
from pathlib import Path
from typing import Final

from jaxtyped_static_runs.comparing import compared, is_worse
from jaxtyped_static_runs.files import latest
from jaxtyped_static_runs.merging import merged
from jaxtyped_static_runs.model import Run
from jaxtyped_static_runs.page import page
from jaxtyped_static_runs.text import report

from ..terminal.problems import Problem
from ..terminal.saying import harmless, say
from .recorded import run_in_file
from .writing import written_to

HELP: Final = "show a recorded run, or compare it with another"
DESCRIPTION: Final = """\
Shows what `jaxtyped-static run` recorded. Several files are those of the processes of one program.

Exit code: 0; with --against, 1 if the run is worse; 2 if a file cannot be read.
"""
EXAMPLES: Final = """\
examples:
  jaxtyped-static report                               the last run here
  jaxtyped-static report .jaxtyped_static_runs/train-*.jsonl    all processes of a program
  jaxtyped-static report --format html -o run.html     a page, to explore in a browser
  jaxtyped-static report new.jsonl --against old.jsonl what got worse
"""


def _page(run: Run) -> str:
    """The page, with lines of the program. A run may have come with somebody's project: no other files are read."""
    here = Path.cwd().resolve()

    def line_of(file: str, line: int) -> str:
        path = run.path(file)
        try:
            is_here = path.resolve().is_relative_to(here) and path.is_file()
        except (OSError, ValueError):
            return ""
        return linecache.getline(str(path), line).strip() if is_here and path.suffix == ".py" else ""

    return page(run, line_of)


def _text(run: Run) -> str:
    return _lines(report(run))


def _lines(text: str) -> str:
    """Text that no runner takes for commands: it may name what somebody else chose."""
    return "\n".join(map(harmless, text.split("\n")))


_FORMATS: Final[dict[str, Callable[[Run], str]]] = {"text": _text, "html": _page}


_ALL: Final = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="runs (default: the last one here)")
    parser.add_argument("--against", type=Path, metavar="FILE", help="compare with this run; exit code 1 if worse")
    parser.add_argument("--format", choices=_FORMATS, default="text", help="(default: text)")
    parser.add_argument("--all", action="store_true", help="list all functions and lines, not only the costliest")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to a file")


def run(options: argparse.Namespace) -> int:
    now = merged([run_in_file(file) for file in options.files or [_latest()]])
    if options.against is None:
        whole = options.all and options.format == "text"
        _write(_lines(report(now, _ALL)) if whole else _FORMATS[options.format](now), options.output)
        return 0
    if options.format != "text":
        raise Problem("--against is compared as text; leave --format out")
    before = run_in_file(options.against)
    _write(_lines(compared(before, now)), options.output)
    return 1 if is_worse(before, now) else 0


def _latest() -> Path:
    file = latest(Path.cwd())
    if file is None:
        raise Problem("no run was recorded in this folder; write: jaxtyped-static run train.py")
    say(f"{file.relative_to(Path.cwd())}")
    return file


def _write(text: str, output: Path | None) -> None:
    with written_to(output, "the report") as target:
        target.write(f"{text}\n")
