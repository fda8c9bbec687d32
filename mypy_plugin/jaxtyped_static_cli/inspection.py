"""Checks a program in such a way that mypy's trees and types can be looked at."""

from collections.abc import Callable, Sequence
from pathlib import Path

from mypy.options import Options

from . import compat
from .plugin import SWITCHES
from .progress import progress
from .runs import Outcome, Run


def inspect_program(
    files: Sequence[Path], root: Path, options: Options, look: Callable[[compat.Program], None]
) -> Outcome:
    """`look` gets each program that the files form, with the types of all expressions in them."""
    with progress() as shown:
        SWITCHES.strict, SWITCHES.on_file = False, shown.read
        run = Run(files, root, options, shown.checked)
        run()  # so that libraries come from the cache: to keep their trees takes minutes
        compat.keep_trees(options)
        return run._replace(inspect=look)()
