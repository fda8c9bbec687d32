"""What the parts of a package import from one another, where they are layers: each imports from those below it only."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.rules.parsing import parse

_NO_LAYERS: Final = frozenset({"__init__", "__main__"})


def layers_in(package: Path) -> set[str]:
    """The names of the modules and packages in a package."""
    return {path.relative_to(package).parts[0].removesuffix(".py") for path in package.rglob("*.py")} - _NO_LAYERS


def imports_from_above(package: Path, layers: Sequence[str]) -> list[str]:
    """The imports that lead upwards, each with its file. `layers`: from the top down."""
    files = {file: file.relative_to(package).parts[0].removesuffix(".py") for file in package.rglob("*.py")}
    return [
        f"{file.relative_to(package)}: {name}"
        for file, layer in files.items()
        if layer not in _NO_LAYERS
        for name in _imported(file, package)
        if layers.index(name) < layers.index(layer)
    ]


def _imported(file: Path, package: Path) -> Iterator[str]:
    """The layers that a file imports from."""
    around = file.relative_to(package).parts[:-1]
    for node in ast.walk(parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            path = [*around[: len(around) - node.level + 1], *(node.module.split(".") if node.module else ())]
            yield from path[:1] or (alias.name for alias in node.names)
