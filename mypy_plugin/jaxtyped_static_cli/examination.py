"""Examines a project for `doctor`: checks it, and looks at what the checker could read."""

import contextlib
import os
from collections import Counter
from pathlib import Path

from jaxtyped_static_mypy.config.settings import Settings

from . import compat
from .configuration import paths_to_check
from .diagnosis import Diagnosis
from .files import find_files
from .hidden import Hiding, counted_by_name, hiding_decorators, untyped_packages
from .inspection import inspect_program
from .preparation import Prepared
from .sites import Site, sites_of


def examine(prepared: Prepared, settings: Settings, named: list[Path]) -> Diagnosis:
    """`named`: the files and folders that the user names."""
    project, options = prepared.project, prepared.options
    files = find_files(paths_to_check(project, named), options.exclude, project.root)
    wanted = set(files)
    sites: list[Site] = []
    hiding: list[Hiding] = []
    not_found: Counter[str] = Counter()

    def inspect(program: compat.Program) -> None:
        for tree, name in program.files:
            path = Path(os.path.normpath(project.root / name))
            if path in wanted:
                sites.extend(sites_of(tree, path, program, settings))
                hiding.extend(hiding_decorators(tree, path, program.types))
                not_found.update({module.partition(".")[0] for module in program.not_found[name]})

    outcome = inspect_program(files, project.root, options, inspect)
    for error in outcome.broken:
        not_found.pop(Path(error.span.path).stem, None)
    with contextlib.chdir(project.root):
        packages = untyped_packages(not_found, options)
    return Diagnosis(project, sorted(sites), packages, counted_by_name(hiding), settings, outcome)
