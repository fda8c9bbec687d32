"""Checks a program in such a way that mypy's trees and types can be looked at."""

from collections.abc import Callable, Sequence
from pathlib import Path

from mypy.options import Options

from ..compat.options import keep_trees
from ..compat.trees import CheckedProgram
from ..mypy_runs.plugin import SWITCHES
from ..mypy_runs.runs import Outcome, Run
from ..terminal.progress import progress


def inspect_program(
    files: Sequence[Path], root: Path, options: Options, look: Callable[[CheckedProgram], None]
) -> Outcome:
    """`look` gets each program that the files form, with the types of all expressions in them."""
    with progress() as shown:
        SWITCHES.strict, SWITCHES.on_file = False, shown.read
        run = Run(files, root, options, shown.checked)
        run()  # so that libraries come from the cache: to keep their trees takes minutes
        keep_trees(options)
        return run._replace(inspect=look)()
