"""The texts that mutations start from: the project's own cases, and files of installed packages that use jax."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final

from tests.fuzz.checking import Program
from tests.rules.cases import load_programs

_LONGEST: Final = 20_000  # characters of a file; longer ones add little
_NOT_READ: Final = re.compile(r"(^|/)(tests?|testing|examples?|vendor|_vendor)/|_test\.py$|(^|/)test_")


@cache
def own_cases() -> list[Program]:
    """Returns the programs of the Markdown files, one per state."""
    states = [state for program in load_programs() for state in program.states]
    programs = [{path: module.text for path, module in state.items()} for state in states]
    return [program for program in programs if any(program.values())]


@cache
def installed_files() -> list[Program]:
    """Returns files of jax and of distributions that need it, each as a separate program."""
    found = sorted(path for distribution in distributions() for path in _files_using_jax(distribution))
    return [{"main.py": text} for module, path in found if (text := _standing_alone(module, path)) is not None]


def _files_using_jax(distribution: Distribution) -> Iterator[tuple[str, Path]]:
    needs = [re.match(r"[\w.-]+", text) for text in [distribution.name, *(distribution.requires or ())]]
    if not any(name is not None and name[0].lower() == "jax" for name in needs):
        return
    for file in distribution.files or ():
        path = Path(str(distribution.locate_file(file)))
        is_read = file.suffix == ".py" and not _NOT_READ.search(file.as_posix()) and path.is_file()
        if is_read and path.stat().st_size <= _LONGEST:
            yield ".".join(file.with_suffix("").parts), path


def _standing_alone(module: str, path: Path) -> str | None:
    """Returns a file with its relative imports made absolute; None if it does not import jax."""
    text = path.read_text(encoding="utf-8")
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = ".".join(package[: len(package) - node.level + 1] + ([node.module] if node.module else []))
            lines[node.lineno - 1] = re.sub(r"from\s+\.+\s*[\w.]*", f"from {base}", lines[node.lineno - 1], count=1)
    return "".join(lines) if re.search(r"^\s*(import|from) jax\b", text, re.MULTILINE) else None
