"""`doctor`: says what the checker sees in a project, and what it does not."""

import argparse
import os
import platform
from collections import Counter
from pathlib import Path
from typing import Final

from mypy.options import Options
from mypy.version import __version__ as mypy_version
from rich.console import Console
from rich.text import Text

from jaxtyped_static_mypy.config.settings import Settings
from jaxtyped_static_mypy.knowledge.full_names import INSTALLED

from .. import compat
from ..cache import NAME, cache_folder, jax_folder, lend_markers
from ..configuration import configured_paths, options_of, settings_of
from ..diagnosis import Diagnosis, advice
from ..files import find_files
from ..inspection import inspect_program
from ..interpreter import Interpreter, find_interpreter
from ..problems import Problem
from ..project import Project, find_project
from ..sites import Site, sites_of
from ..versions import own_version, version_in
from ..words import counted
from .check import add_environment_arguments

HELP: Final = "say what the checker sees in a project"
DESCRIPTION: Final = """\
Says why `check` finds nothing, or not what you expected: the versions and settings that hold, whether mypy sees JAX,
and what was read of each function that is compiled. Ends with what to do first.

Exit code: 0, or 2 if the project cannot be checked.
"""
EXAMPLES: Final = """\
examples:
  jaxtyped-static doctor
  jaxtyped-static doctor src/app/train.py
  jaxtyped-static doctor --python .conda
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="files and folders (default: the project)")
    add_environment_arguments(parser)


def run(options: argparse.Namespace) -> int:
    console = Console(soft_wrap=True, highlight=False, markup=False, emoji=False)
    project = find_project(options.paths or [Path.cwd()])
    python = find_interpreter(options.python, project.root)
    cache = cache_folder(options.cache_dir or project.root / NAME)
    mypy_options = options_of(project, python, cache=cache)
    settings = settings_of(project)
    jax = jax_folder(mypy_options, project.root)
    _show_versions(console, project, python, jax)
    _show_settings(console, project, settings)
    if jax is None:
        raise Problem(f"mypy sees no types of JAX; install jax in {python.path}, or choose another with --python")
    lend_markers(mypy_options, project.root, cache)
    diagnosis = _examine(project, mypy_options, settings, options.paths)
    _show_sites(console, diagnosis)
    _heading(console, "Do this first")
    for number, line in enumerate(advice(diagnosis), 1):
        console.print(f"  {number}. {line}")
    return 2 if diagnosis.outcome.broken else 0


def _examine(project: Project, options: Options, settings: Settings, paths: list[Path]) -> Diagnosis:
    """Checks the project, and looks at what the checker read."""
    chosen = paths or [project.root / path for path in configured_paths(project)] or [project.whole]
    files = find_files(chosen, options.exclude, project.root)
    wanted = set(files)
    sites: list[Site] = []
    not_found: Counter[str] = Counter()

    def inspect(program: compat.Program) -> None:
        for tree, name in program.files:
            path = Path(os.path.normpath(project.root / name))
            if path in wanted:
                sites.extend(sites_of(tree, path, program, settings))
                not_found.update({module.partition(".")[0] for module in program.not_found[name]})

    outcome = inspect_program(files, project.root, options, inspect)
    for error in outcome.broken:
        not_found.pop(Path(error.span.path).stem, None)
    return Diagnosis(project, sorted(sites), not_found, settings, outcome)


def _show_versions(console: Console, project: Project, python: Interpreter, jax: Path | None) -> None:
    _heading(console, "Versions")
    installed = jax is not None and any(folder in str(jax) for folder in INSTALLED)
    seen = f"{version_in(jax, 'jax') or 'version unknown'}, in {jax}" if jax is not None else "not seen by mypy"
    _rows(
        console,
        {
            "jaxtyped-static": own_version(),
            "mypy": mypy_version,
            "Python of the command": platform.python_version(),
            "Python of the project": f"{python.path} ({python.origin})",
            "JAX": seen if installed or jax is None else f"{seen} (not an installed package)",
        },
    )


def _show_settings(console: Console, project: Project, settings: Settings) -> None:
    _heading(console, "Settings")
    _rows(console, {"project": project.root, "configuration": project.config_file or "none"})
    held, defaults = settings.report(), Settings().report()
    changed = {name: value for name, value in held.items() if value != defaults[name]}
    _rows(console, changed or {"[jaxtyped_static]": "all defaults"})


def _show_sites(console: Console, diagnosis: Diagnosis) -> None:
    _heading(console, f"Compiled functions ({len(diagnosis.sites)}, {len(diagnosis.unread)} unread)")
    path = None
    for site in diagnosis.sites:
        if site.path != path:
            path = site.path
            console.print(Text(f"  {os.path.relpath(path)}", style="bold"))
        console.print(Text(f"    {site.line:>5}  {site.name}: {_read(site)}"))
    for name, count in diagnosis.not_found.most_common():
        console.print(f"  {name}: no types; imported by {counted(count, 'file')}")
    for line in diagnosis.outcome.warnings:
        console.print(f"  {line}")


def _read(site: Site) -> str:
    if site.unread:
        return f"not read: {site.unread}"
    return f"static {', '.join(site.static) or 'none'}; dynamic {', '.join(site.dynamic) or 'none'}"


def _heading(console: Console, text: str) -> None:
    console.print(Text(text, style="bold blue"))


def _rows(console: Console, rows: dict[str, object]) -> None:
    for name, value in rows.items():
        console.print(f"  {name + ':':<24}{value}")
