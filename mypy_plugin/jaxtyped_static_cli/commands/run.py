"""`run`: runs a program, records what JAX prepares in it, and reports that when it has ended."""

import argparse
import contextlib
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from jaxtyped_static_runs import launching
from jaxtyped_static_runs.files import new_file
from jaxtyped_static_runs.journal import read_run
from jaxtyped_static_runs.options import Options
from jaxtyped_static_runs.passes import line_in
from jaxtyped_static_runs.text import report

from ..project.interpreter import find_interpreter
from ..project.roots import find_project
from ..terminal.problems import Problem
from ..terminal.saying import say

HELP: Final = "run a program, and say what JAX compiled in it, and why"
DESCRIPTION: Final = """\
Runs a program as it is, and says when it has ended what JAX traced, lowered and compiled, for which line, what that
cost, and why something was compiled again. The report goes to stderr; the run is kept in .jaxtyped_static_runs.

Exit code: the program's own; 2 if it could not be started.
"""
EXAMPLES: Final = """\
examples:
  jaxtyped-static run train.py --steps 10      a program, with its arguments
  jaxtyped-static run -m package.train         a module, as with python -m
  jaxtyped-static run -c 'import program'      code
  jaxtyped-static run --steps-from train.py:139 train.py       in which step something was compiled
  jaxtyped-static run --warm-after train.py:139:10 train.py    raise where it is after ten
  jaxtyped-static run --verify train.py        find programs that are stale, or differ with each trace
  jaxtyped-static report                       the report again
  jaxtyped-static report --format html -o run.html     a page to explore it
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--python", metavar="PATH", help="the interpreter or environment (default: as for check)")
    parser.add_argument("--file", type=Path, metavar="FILE", help="where to keep the run")
    parser.add_argument(
        "--steps-from",
        type=_line,
        metavar="FILE:LINE",
        help="also say in which pass of this line something was compiled",
    )
    parser.add_argument(
        "--warm-after",
        type=_warm_line,
        metavar="FILE:LINE:N",
        help="raise in the program where something is compiled after so many passes of this line",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="at the end, trace every program again, and say what has changed that was compiled in",
    )
    parser.add_argument("--quiet", action="store_true", help="keep the run, and report nothing")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("-m", dest="module", nargs=argparse.REMAINDER, metavar="MODULE", help="run a module")
    what.add_argument("-c", dest="code", nargs=argparse.REMAINDER, metavar="CODE", help="run code")
    parser.add_argument("program", nargs=argparse.REMAINDER, metavar="FILE.py", help="the program, and its arguments")


def run(options: argparse.Namespace) -> int:
    program = _program(options)
    python = find_interpreter(options.python, find_project([Path.cwd()]).root).path
    if python.is_dir():
        raise Problem(f"{python} is an environment whose Python was not found; give it with --python")
    file: Path = (options.file or new_file(_name(program))).absolute()
    steps_from, warm_after = options.warm_after or (options.steps_from or "", None)
    told = Options(file=str(file), steps_from=steps_from, warm_after=warm_after, verifies=options.verify)
    command = [str(python), launching.__file__, json.dumps(told._asdict()), *program]
    code = _wait(command)
    if not options.quiet:
        _report(file, program)
    return code


def _line(text: str) -> str:
    try:
        line = line_in(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if not Path(line.file).is_file():
        raise argparse.ArgumentTypeError(f"{line.file} does not exist")
    return text


def _warm_line(text: str) -> tuple[str, int]:
    line, _, count = text.rpartition(":")
    if not count.isdecimal() or ":" not in line:
        raise argparse.ArgumentTypeError(f'"{text}" is no line with a number of passes; write it like train.py:139:10')
    return _line(line), int(count)


def _program(options: argparse.Namespace) -> list[str]:
    for option, given in (("-m", options.module), ("-c", options.code)):
        if given:
            return [option, *given]
    if not options.program:
        raise Problem("no program is given; write: jaxtyped-static run train.py, or run -m package")
    if not Path(options.program[0]).exists():
        raise Problem(f"{options.program[0]} does not exist; give the program's file, or -m and a module")
    return list(options.program)


def _name(program: list[str]) -> str:
    return program[1] if program[0] == "-m" else "code" if program[0] == "-c" else Path(program[0]).stem


def _wait(command: list[str]) -> int:
    """Runs a command to its end; Ctrl-C and a request to terminate are the program's to answer."""
    process = subprocess.Popen(command)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    code = process.wait()
    return code if code >= 0 else 128 - code


def _report(file: Path, program: list[str]) -> None:
    if not file.is_file():
        say(f"{_name(program)}: JAX prepared no program")
        return
    for line in report(read_run(file)).splitlines():
        say(line)
    with contextlib.suppress(ValueError):
        file = file.relative_to(Path.cwd())
    say(f"jaxtyped-static report {file} shows this again")
    sys.stderr.flush()
