"""The modules of a program by their syntax: what each defines at its top level, and what it imports."""

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

from ...files.parsing import parsed_by_python

_TREES_KEPT: Final = 4096
# Modules of libraries that are read like those of the program: what they do with weak types is in their source.
_READ: Final = frozenset({"flax.training.train_state"})

Definition = ast.FunctionDef | ast.ClassDef | ast.alias | ast.expr


@dataclass(eq=False)
class Module:
    """A module, with what its top level binds each name to, in their order."""

    name: str
    tree: ast.Module
    is_package: bool
    definitions: dict[str, list[Definition]] = field(default_factory=dict)
    imports: dict[ast.alias, str] = field(default_factory=dict)  # full names

    def __post_init__(self) -> None:
        for node in _top_level(self.tree.body):
            for name, definition in bound_by(node):
                self.definitions.setdefault(name, []).append(definition)
            self.imports |= imported_by(node, self.name, is_package=self.is_package)


@dataclass(eq=False)
class Modules:
    """Those of a program that are its own. `read`: the content of a file."""

    paths: Mapping[str, Path]
    own: frozenset[str]
    read: Callable[[Path], bytes]
    asked: set[str] = field(default_factory=set)  # the names of those that somebody has asked for
    _known: dict[str, Module | None] = field(default_factory=dict)

    def find(self, name: str) -> Module | None:
        self.asked.add(name)
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def tree(self, name: str) -> ast.Module | None:
        """The same one as long as the file has the same content."""
        found = self.find(name)
        return found.tree if found is not None else None

    def is_own(self, name: str) -> bool:
        """Whether a module, or a package that has some, is read."""
        return name in self._packages

    @cached_property
    def _packages(self) -> frozenset[str]:
        parts = (name.split(".") for name in (*self.own, *_READ & self.paths.keys()))
        return frozenset(".".join(one[: index + 1]) for one in parts for index in range(len(one))) - {"flax"}

    def _read(self, name: str) -> Module | None:
        path = self.paths.get(name)
        if path is None or path.suffix != ".py" or not (name in self.own or name in _READ):
            return None
        try:
            tree = _parsed(self.read(path))
        except OSError:
            return None
        return _module(name, tree, path.stem == "__init__") if tree is not None else None


@lru_cache(_TREES_KEPT)
def _module(name: str, tree: ast.Module, is_package: bool) -> Module:
    return Module(name, tree, is_package)


@lru_cache(_TREES_KEPT)
def _parsed(content: bytes) -> ast.Module | None:
    return parsed_by_python(content.decode("utf-8-sig", errors="replace"))


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, with those in its conditions."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With):
            for part in (*ast.iter_child_nodes(node),):
                if isinstance(part, ast.stmt):
                    yield from _top_level([part])
                elif isinstance(part, ast.ExceptHandler):
                    yield from _top_level(part.body)


def bound_by(node: ast.stmt) -> Iterator[tuple[str, Definition]]:
    """The names that a statement binds, with what they stand for."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name, node
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0], alias
    elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name):
                yield target.id, node.value
    for part in ast.walk(node) if isinstance(node, ast.AugAssign | ast.For | ast.While | ast.Assign) else ():
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and not _is_target(part, node):
            yield part.id, ast.Constant(..., lineno=node.lineno)  # nobody sees which value


def _is_target(part: ast.Name, node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and part in node.targets


def imported_by(node: ast.stmt, module: str, *, is_package: bool) -> dict[ast.alias, str]:
    """The full name of what each alias of an import stands for."""
    if isinstance(node, ast.Import):
        return {alias: alias.name if alias.asname else alias.name.partition(".")[0] for alias in node.names}
    if not isinstance(node, ast.ImportFrom):
        return {}
    base = node.module or ""
    if node.level:
        parts = module.split(".")
        up = node.level - is_package
        outer = parts[: len(parts) - up] if up else parts
        base = ".".join([*outer, *([node.module] if node.module else [])])
    return {alias: f"{base}.{alias.name}" if base else alias.name for alias in node.names}
