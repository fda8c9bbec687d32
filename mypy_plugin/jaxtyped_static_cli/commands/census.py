"""`census`: lists the compiled functions and the classes of a program, with the roles they play."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from mypy.options import Options

from jaxtyped_static_mypy.config.settings import Settings

from ..census import html, json_, text
from ..census.collect import take, together
from ..census.model import Census
from ..census.program import Program
from ..census.selection import select
from ..compat.trees import CheckedProgram
from ..inspection.trees import inspect_program
from ..mypy_runs.configuration import settings_of
from ..mypy_runs.diagnostics import Diagnostic
from ..mypy_runs.preparation import prepare
from ..mypy_runs.runs import Outcome
from ..project.interpreter import find_interpreter
from ..project.roots import find_project
from ..terminal.consoles import console_for
from ..terminal.saying import say
from .arguments import add_project_arguments
from .writing import written_to

HELP: Final = "list compiled functions and classes, with the roles they play"
DESCRIPTION: Final = """\
Says what no single file tells: of each compiled function its static, dynamic and donated parameters, and who passes
what; of each class whether it is used as a static value, as a dynamic one, or both, and whether it is fit for that.

What is odd comes first: classes that play both roles, and those that break the static contract.
Exit code: 0, or 2 if something could not be checked.
"""
EXAMPLES: Final = """\
examples:
  jaxtyped-static census                          the project around the current folder
  jaxtyped-static census src/                     this folder
  jaxtyped-static census --only Solver            one class or function, with all that is known of it
  jaxtyped-static census --only '*Config'         all whose names end so
  jaxtyped-static census --format html -o census.html    a page with a graph, to explore in a browser
  jaxtyped-static census --format json            for programs
"""

_FORMATS: Final[dict[str, Callable[[Census, str], str]]] = {"json": json_.render, "html": html.render}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_project_arguments(parser)
    shown = parser.add_argument_group("output")
    shown.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="PATTERN",
        help="show these functions and classes only, with details; * stands for any text; may be repeated",
    )
    shown.add_argument("--format", choices=["text", *_FORMATS], default="text", help="(default: text)")
    shown.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to a file")
    shown.add_argument("--color", choices=["auto", "always", "never"], default="auto", help="(default: auto)")


def run(options: argparse.Namespace) -> int:
    project = find_project(options.paths or [Path.cwd()])
    python = find_interpreter(options.python, project.root)
    prepared = prepare(project, python, options)
    settings = settings_of(project)
    _, found = prepared.files(options.paths)
    prepared.fill_cache()
    census, outcome = _take(found.files, project.root, prepared.options, settings)
    for line in (*outcome.warnings, *map(_broken, outcome.broken)):
        say(line)
    _write(census, options, project.root.name)
    return 2 if outcome.broken or not found.is_complete else 0


def _take(files: list[Path], root: Path, options: Options, settings: Settings) -> tuple[Census, Outcome]:
    wanted = set(files)
    parts = []

    def look(checked: CheckedProgram) -> None:
        paths = {tree.fullname: Path(os.path.normpath(root / name)) for tree, name in checked.files}
        own = {module: path for module, path in paths.items() if path in wanted}
        parts.append(take(Program(checked, own, settings)))

    outcome = inspect_program(files, root, options, look)
    return together(len(files), parts), outcome


def _broken(error: Diagnostic) -> str:
    path, line, column, *_ = error.span
    return f"error: {path}:{line}:{column}: not checked: {error.message}"


def _write(census: Census, options: argparse.Namespace, title: str) -> None:
    with written_to(options.output, "the census") as target:
        part = select(census, options.only)
        if options.format == "text":
            text.write(part, console_for(options.color, target), census if options.only else None)
        else:
            target.write(_FORMATS[options.format](part, title))
