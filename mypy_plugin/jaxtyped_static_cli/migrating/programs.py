"""The classes of a program, and which of them derive from which, as far as the sources of its files tell."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

_MAX_STEPS: Final = 8  # modules that import a name from one another


class ClassKey(NamedTuple):
    """A class: its file, and its name with the classes and functions around it."""

    path: Path
    name: str


class Class(NamedTuple):
    key: ClassKey
    node: ast.ClassDef
    # Of each base: a class of the program, or the full name of another; None if it is no name.
    bases: tuple[ClassKey | str | None, ...]


class _Module(NamedTuple):
    path: Path
    tree: ast.Module
    classes: Mapping[str, ast.ClassDef]
    imports: Mapping[str, str]  # what a name is imported as; relative to the file system's root


class ProjectClasses:
    """Parsed files. Those that cannot be parsed have no classes."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._modules = {path: module for path in paths if (module := _parsed(path)) is not None}

    @property
    def trees(self) -> Iterator[tuple[Path, ast.Module]]:
        return ((path, module.tree) for path, module in self._modules.items())

    @cached_property
    def classes(self) -> Mapping[ClassKey, Class]:
        return {
            ClassKey(path, name): Class(
                ClassKey(path, name), node, tuple(self._base(base, name, module) for base in node.bases)
            )
            for path, module in self._modules.items()
            for name, node in module.classes.items()
        }

    def find(self, full_name: str) -> ClassKey | None:
        """The class with a full name, if exactly one file can be its module."""
        return self._found(full_name, _MAX_STEPS)

    def full_name(self, node: ast.expr, path: Path) -> str:
        """The full name of what is imported under a name or attribute; the name itself if it is not imported."""
        head, _, rest = dotted(node).partition(".")
        return ".".join(part for part in (self._modules[path].imports.get(head, head), rest) if part)

    def _base(self, node: ast.expr, around: str, module: _Module) -> ClassKey | str | None:
        head = node.value if isinstance(node, ast.Subscript) else node
        name = dotted(head)
        if not name:
            return None
        outer = around.split(".")[:-1]
        for end in range(len(outer), -1, -1):
            if (inner := ".".join([*outer[:end], name])) in module.classes:
                return ClassKey(module.path, inner)
        full_name = self.full_name(head, module.path)
        return self.find(full_name) or full_name

    def _found(self, full_name: str, steps: int) -> ClassKey | None:
        parts = full_name.split(".")
        for end in range(len(parts) - 1, 0, -1):
            found = self._by_stem.get(parts[end - 1], ())
            modules = [module for module in found if _is_named(module.path, parts[:end])]
            if len(modules) != 1:
                continue
            name, head = ".".join(parts[end:]), parts[end]
            if name in modules[0].classes:
                return ClassKey(modules[0].path, name)
            if head in modules[0].imports and steps:
                return self._found(".".join([modules[0].imports[head], *parts[end + 1 :]]), steps - 1)
        return None

    @cached_property
    def _by_stem(self) -> Mapping[str, list[_Module]]:
        found: dict[str, list[_Module]] = {}
        for path, module in self._modules.items():
            found.setdefault(_parts(path)[-1], []).append(module)
        return found


def dotted(node: ast.expr) -> str:
    """A name with attributes as it is written; empty for any other expression."""
    if isinstance(node, ast.Name):
        return node.id
    inner = dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{inner}.{node.attr}" if inner and isinstance(node, ast.Attribute) else ""


def _parsed(path: Path) -> _Module | None:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _Module(path, tree, dict(_classes(tree, "")), dict(_imports(tree, path)))


def _classes(node: ast.AST, around: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield around + child.name, child
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _classes(child, f"{around}{child.name}.")
        else:
            yield from _classes(child, around)


def _imports(tree: ast.Module, path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom):
            above = _folders(path)[: len(path.parts) - 1 - node.level] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((alias.asname or alias.name, f"{module}.{alias.name}") for alias in node.names)


def _parts(path: Path) -> tuple[str, ...]:
    """The path of a file as the parts of a module's name, from the root of the file system."""
    return _folders(path) if path.stem == "__init__" else (*_folders(path), path.stem)


def _folders(path: Path) -> tuple[str, ...]:
    return tuple(part.replace(".", "_") for part in path.parts[1:-1])


def _is_named(path: Path, module: list[str]) -> bool:
    """Whether a module's name is the end of a path."""
    parts = _parts(path)
    return list(parts[len(parts) - len(module) :]) == module
