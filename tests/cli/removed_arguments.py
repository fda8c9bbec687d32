"""Prints the arguments that releases of JAX took by name, and that the installed one does not, by their last release.

`python -m tests.cli.removed_arguments FOLDER`: it has one folder for each release, named after it, with the package
`jax` in it, as wheels and source distributions have it (`pip download --no-deps jax==0.4.13`). Nothing of them is
imported. The rows of `knowledge/removed_arguments.py` are those of modules that users call.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import jax

from jaxtyped_static_cli.mypy_runs.removed.packages import Packages, arguments_of, refuses_argument
from jaxtyped_static_cli.project.bounds import version_of

# Modules of JAX that are no public interface, or one for kernels alone.
_LEFT_OUT: Final = frozenset({"test_util", "tools", "collect_profile", "interpreters", "jaxlib", "extend"})


def main(folder: Path) -> None:
    installed = Packages(Path(jax.__file__).parent.parent)
    last: dict[tuple[str, str], str] = {}
    for release in sorted((path.name for path in folder.iterdir()), key=version_of):
        last |= dict.fromkeys(_taken(folder / release), release)
    rows: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (function, argument), release in last.items():
        definition = installed.definition(function)
        if definition is not None and refuses_argument(definition, argument):
            rows[release][function].append(argument)
    for release in sorted(rows, key=version_of, reverse=True):
        for function, arguments in sorted(rows[release].items()):
            print(release, f"{function}({','.join(sorted(arguments))})")


def _taken(folder: Path) -> Iterator[tuple[str, str]]:
    """The arguments of the public functions of a release."""
    packages = Packages(folder)
    for module in _public(folder):
        for name in packages.names(module):
            definition = packages.definition(f"{module}.{name}") if not name.startswith("_") else None
            for argument in arguments_of(definition) if isinstance(definition, ast.FunctionDef) else ():
                if not argument.startswith("_"):
                    yield f"{module}.{name}", argument


def _public(folder: Path) -> Iterator[str]:
    for file in sorted((folder / "jax").rglob("*.py")):
        parts = [part for part in file.relative_to(folder).with_suffix("").parts if part != "__init__"]
        if not any(part.startswith("_") for part in parts) and not _LEFT_OUT.intersection(parts):
            yield ".".join(parts)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
