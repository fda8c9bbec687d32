"""Examines a project for `doctor`: checks it, and looks at what the checker could read."""

import contextlib
import os
from pathlib import Path

from jaxtyped_static_mypy.config.settings import Settings

from ..compat.trees import CheckedProgram
from ..files.python_files import find
from ..inspection.sites import Site, sites_of
from ..inspection.trees import inspect_program
from ..mypy_runs.configuration import paths_to_check
from ..mypy_runs.diagnostics import unread
from ..mypy_runs.preparation import Prepared
from ..terminal.saying import say
from .diagnosis import Diagnosis
from .hidden import Hiding, counted_by_name, hiding_decorators, untyped_packages


def examine(prepared: Prepared, settings: Settings, named: list[Path]) -> Diagnosis:
    """`named`: the files and folders that the user names."""
    project, options = prepared.project, prepared.options
    files, left_out = find(paths_to_check(project, named), options.exclude, project.root)
    for left in left_out:
        say(str(left))
    wanted = set(files)
    sites: list[Site] = []
    hiding: list[Hiding] = []
    not_found: list[set[str]] = []

    def inspect(program: CheckedProgram) -> None:
        for tree, name in program.files:
            path = Path(os.path.normpath(project.root / name))
            if path in wanted:
                sites.extend(sites_of(tree, path, program, settings))
                hiding.extend(hiding_decorators(tree, path, program.types))
                not_found.append(set(program.not_found[name]))

    outcome = inspect_program(files, project.root, options, inspect)
    outcome.broken += (unread(os.path.relpath(left.path, project.root), left.why) for left in left_out if left.is_code)
    broken = {Path(error.span.path).stem for error in outcome.broken}
    not_found = [{module for module in modules if module.partition(".")[0] not in broken} for modules in not_found]
    with contextlib.chdir(project.root):
        packages = untyped_packages(not_found, options)
    return Diagnosis(project, sorted(sites), packages, counted_by_name(hiding), settings, outcome)
