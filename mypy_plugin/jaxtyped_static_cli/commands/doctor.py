"""`doctor`: says what the checker sees in a project, and what it does not."""

import argparse
import json
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mypy.version import __version__ as mypy_version
from rich.console import Console
from rich.text import Text

from jaxtyped_static_mypy.config.settings import Settings
from jaxtyped_static_mypy.knowledge.full_names import INSTALLED

from ..doctor.diagnosis import Diagnosis, advice
from ..doctor.examination import examine
from ..inspection.sites import Site
from ..mypy_runs.configuration import settings_of
from ..mypy_runs.preparation import prepare
from ..project.interpreter import Interpreter, find_interpreter
from ..project.roots import find_project
from ..project.versions import own_version, version_in
from ..terminal.consoles import console_for
from ..terminal.words import counted
from .arguments import add_project_arguments

HELP: Final = "say what the checker sees in a project"
DESCRIPTION: Final = """\
Shows why `check` finds nothing, or not what you expected: the versions and settings in use, whether mypy sees JAX,
what the checker read of each compiled function, and what hides types. Ends with the three things to do first.

Exit code: 0, or 2 if the project cannot be checked.
"""
EXAMPLES: Final = """\
examples:
  jaxtyped-static doctor
  jaxtyped-static doctor src/app/train.py
  jaxtyped-static doctor --python .conda
  jaxtyped-static doctor --format json            for a program, or for a bug report
"""
_VERSION: Final = 1  # of the JSON


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_project_arguments(parser)
    parser.add_argument("--format", choices=["text", "json"], default="text", help="(default: text)")


def run(options: argparse.Namespace) -> int:
    project = find_project(options.paths or [Path.cwd()])
    python = find_interpreter(options.python, project.root)
    prepared = prepare(project, python, options)
    settings = settings_of(project)
    console = console_for()
    versions = _versions(python, prepared.jax)
    held = {"project": str(project.root), "configuration": str(project.config_file or "none"), **_changed(settings)}
    if options.format == "text":
        _rows(console, "Versions", versions)
        _rows(console, "Settings", held)
    prepared.fill_cache()
    diagnosis = examine(prepared, settings, options.paths)
    if options.format == "json":
        print(
            json.dumps({"version": _VERSION, "versions": versions, "settings": held, **_as_json(diagnosis)}, indent=2)
        )
    else:
        _show(console, diagnosis)
    return 2 if diagnosis.outcome.broken else 0


def _versions(python: Interpreter, jax: Path | None) -> dict[str, str]:
    installed = jax is not None and any(folder in str(jax) for folder in INSTALLED)
    seen = f"{version_in(jax, 'jax') or 'version unknown'}, in {jax}" if jax is not None else "not seen by mypy"
    return {
        "jaxtyped-static": own_version(),
        "mypy": mypy_version,
        "Python of the command": platform.python_version(),
        "Python of the project": f"{python.path} ({python.origin})",
        "JAX": seen if installed or jax is None else f"{seen} (not an installed package)",
    }


def _changed(settings: Settings) -> dict[str, Any]:
    held, defaults = settings.report(), Settings().report()
    changed = {name: value for name, value in held.items() if value != defaults[name]}
    return changed or {"[jaxtyped_static]": "all defaults"}


def _as_json(diagnosis: Diagnosis) -> dict[str, Any]:
    def rows(found: list[Any]) -> list[dict[str, Any]]:
        dicts = (item._asdict() for item in found)
        return [{**row, "path": diagnosis.path(row["path"])} if "path" in row else row for row in dicts]

    broken = [
        {"path": error.span.path, "line": error.span.line, "message": error.message}
        for error in diagnosis.outcome.broken
    ]
    return {
        "sites": rows(diagnosis.sites),
        "untyped_packages": rows(diagnosis.untyped),
        "hiding_decorators": rows(diagnosis.hiding),
        "warnings": diagnosis.outcome.warnings,
        "not_checked": broken,
        "advice": advice(diagnosis),
    }


def _show(console: Console, diagnosis: Diagnosis) -> None:
    _heading(console, f"Compiled functions ({len(diagnosis.sites)}, {len(diagnosis.unread)} unread)")
    path = None
    for site in diagnosis.sites:
        if site.path != path:
            path = site.path
            console.print(Text(f"  {os.path.relpath(path)}", style="bold"))
        console.print(Text(f"    {site.line:>5}  {site.name}: {_read(site)}"))
    if diagnosis.untyped or diagnosis.hiding:
        _heading(console, "What hides types")
    for package in diagnosis.untyped:
        console.print(
            f"  {package.name}: {package.reason}; imported by {counted(package.files, 'file')}; {package.advice}"
        )
    for hiding in diagnosis.hiding:
        place = f"{diagnosis.path(hiding.path)}:{hiding.line}"
        console.print(
            f"  @{hiding.name}: not annotated; hides {counted(hiding.functions, 'function')}, the first at {place}"
        )
    if diagnosis.outcome.warnings:
        _heading(console, "Settings to correct")
    for line in diagnosis.outcome.warnings:
        console.print(f"  {line}")
    _heading(console, "Do this first")
    for number, line in enumerate(advice(diagnosis), 1):
        console.print(f"  {number}. {line}")


def _read(site: Site) -> str:
    if site.unread:
        return f"not read: {site.unread}"
    return f"static {', '.join(site.static) or 'none'}; dynamic {', '.join(site.dynamic) or 'none'}"


def _heading(console: Console, text: str) -> None:
    console.print(Text(text, style="bold blue"))


def _rows(console: Console, heading: str, rows: Mapping[str, object]) -> None:
    _heading(console, heading)
    for name, value in rows.items():
        console.print(f"  {name + ':':<24}{value}")
