"""The packages of the plugin are layers: each imports from those below it only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import jaxtyped_static_mypy
from tests.rules.parsing import parse

PLUGIN: Final = Path(jaxtyped_static_mypy.__file__).parent
# As docs/architecture.md draws them, from the top down.
LAYERS: Final = (
    *(
        "plugin",
        "hooks",
        "rules",
        "reporting",
        "flow",
        "judgement",
        "reach",
        "jit",
        "classes",
        "markers",
        "libraries",
        "facts",
    ),
    *("source", "compat", "syntax", "config", "memory", "knowledge", "digest"),
)
NO_LAYERS: Final = frozenset({"__init__", "__main__"})


def imported(file: Path) -> Iterator[str]:
    """The layers that a file imports from."""
    package = file.relative_to(PLUGIN).parts[:-1]
    for node in ast.walk(parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            path = [*package[: len(package) - node.level + 1], *(node.module.split(".") if node.module else ())]
            yield from path[:1] or (alias.name for alias in node.names)


def test_no_layer_imports_from_one_above_it() -> None:
    wrong = []
    for file in PLUGIN.rglob("*.py"):
        layer = file.relative_to(PLUGIN).parts[0].removesuffix(".py")
        if layer in NO_LAYERS:
            continue
        wrong += [f"{file.relative_to(PLUGIN)}: {name}" for name in imported(file) if not _is_below(name, layer)]
    assert wrong == []


def _is_below(name: str, layer: str) -> bool:
    return LAYERS.index(name) >= LAYERS.index(layer)


def test_every_package_is_a_layer() -> None:
    found = {path.relative_to(PLUGIN).parts[0].removesuffix(".py") for path in PLUGIN.rglob("*.py")}
    assert found - NO_LAYERS == set(LAYERS)
