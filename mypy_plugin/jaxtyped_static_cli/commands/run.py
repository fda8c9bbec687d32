"""`run`: runs a program, records what JAX prepares in it, and reports that when it has ended."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from jaxtyped_static_runs import launching
from jaxtyped_static_runs.files import new_file
from jaxtyped_static_runs.options import Options
from jaxtyped_static_runs.passes import line_in

from ..project.interpreter import find_interpreter
from ..project.roots import find_project
from ..terminal.problems import Problem

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


def split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Splits off the program with its arguments, as Python does: none of them is the command's."""
    own: list[str] = []
    rest = list(arguments)
    while rest:
        first = rest[0]
        if first[:2] in ("-m", "-c"):
            return own, [first[:2], *([first[2:]] if first[2:] else []), *rest[1:]]
        if first == "-" or not first.startswith("-"):
            return own, rest
        own += rest[: 2 if first in _WITH_VALUE else 1]
        rest = rest[2 if first in _WITH_VALUE else 1 :]
    return own, []


_WITH_VALUE: Final = frozenset({"--python", "--file", "--steps-from", "--warm-after"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "jaxtyped-static run [options] (FILE.py | -m MODULE | -c CODE | -) [ARGUMENT ...]"
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


def run(options: argparse.Namespace) -> int:
    program: list[str] = options.program
    _require(program)
    python = find_interpreter(options.python, find_project([Path.cwd()]).root).path
    if python.is_dir():
        raise Problem(f"{python} is an environment whose Python was not found; give it with --python")
    file: Path = (options.file or new_file(_name(program))).absolute()
    steps_from, warm_after = options.warm_after or (options.steps_from or "", None)
    if steps_from and not Path(line_in(steps_from).file).is_file():
        raise Problem(f"{line_in(steps_from).file} does not exist; give a line of the program")
    told = Options(
        file=str(file),
        process=os.getpid(),
        says=not options.quiet,
        steps_from=steps_from,
        warm_after=warm_after,
        verifies=options.verify,
    )
    return _become([str(python), launching.__file__, json.dumps(told._asdict()), *program])


def _line(text: str) -> str:
    try:
        line_in(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _warm_line(text: str) -> tuple[str, int]:
    line, _, count = text.rpartition(":")
    if not count.isdecimal() or ":" not in line:
        raise argparse.ArgumentTypeError(f'"{text}" is no line with a number of passes; write it like train.py:139:10')
    return _line(line), int(count)


def _require(program: list[str]) -> None:
    if not program or program in (["-m"], ["-c"]):
        raise Problem("no program is given; write: jaxtyped-static run train.py, or run -m package")
    if program[0] not in ("-m", "-c", "-") and not Path(program[0]).exists():
        raise Problem(f"{program[0]} does not exist; give the program's file, or -m and a module")


def _name(program: list[str]) -> str:
    named = {"-m": program[1] if len(program) > 1 else "", "-c": "code", "-": "stdin"}
    return named.get(program[0]) or Path(program[0]).stem


def _become(command: list[str]) -> int:
    """Runs a command in place of this process: signals, terminal and exit code are the program's own."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.run(command, check=False).returncode
