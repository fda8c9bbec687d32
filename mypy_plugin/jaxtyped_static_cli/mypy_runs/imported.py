"""The modules that a file may import, by its syntax."""

import ast
from collections.abc import Iterator

from .modules import Module


def imported_modules(tree: ast.Module, module: Module) -> frozenset[str]:
    """Full names of modules, and of what may be one: `b` in `from a import b`."""
    package = module.name if module.file.stem == "__init__" else module.name.rpartition(".")[0]
    return frozenset(name for node in ast.walk(tree) for name in _named(node, package))


def _named(node: ast.AST, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        around = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        start = ".".join([*around, *([node.module] if node.module else [])])
        yield start
        yield from (f"{start}.{alias.name}" for alias in node.names if alias.name != "*")
