"""Warns of full names in the settings that do not exist: `static_types = ["app.mesh.Mehs"]` would have no effect.

Reads the source of each module that mypy processes, as mypy may take the module from its cache. Says nothing about a
module whose source does not show all of its names.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib.util import resolve_name
from pathlib import Path
from typing import Any, Final

_HIDING: Final = frozenset({"__getattr__", "exec", "globals", "setattr", "vars"})  # by these, a module may get any name

# The names of a module, each with the `from` statement that imports it.
_Names = dict[str, ast.ImportFrom | None]


class NamesInSettings:
    """The full names in the settings, by every module that they may be in."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        """`settings`: as `Settings.report` gives them."""
        self._by_module: dict[str, list[tuple[str, str]]] = {}
        for key, value in settings.items():
            if isinstance(value, list):
                self._add(key, value)

    def _add(self, key: str, names: list[str]) -> None:
        for name in names:
            for dot in re.finditer(r"\.", name):
                self._by_module.setdefault(name[: dot.start()], []).append((key, name[dot.end() :]))

    def wrong_in(self, module: str, path: str) -> Iterator[str]:
        """Warnings about the names that may be in this module; each is given once."""
        for key, name in self._by_module.pop(module, ()):
            problem = _problem(module, Path(path), name)
            if problem is not None:
                yield f'{key} names "{module}.{name}", {problem}'


def _problem(module: str, path: Path, name: str) -> str | None:
    head, dot, _ = name.partition(".")
    if path.suffix not in (".py", ".pyi") or (dot and path.suffix == ".pyi"):
        return None  # there may be stubs for some modules of a package only
    if _has_submodule(path, head):
        return None if dot else "a module; name the class or function in it"
    source = path.read_text(encoding="utf-8", errors="replace")
    if re.search(rf"^\s*(?:class|def|type)\s+{head}\b|^{head}\s*[:=]", source, re.MULTILINE):
        return None  # nearly always, and faster than parsing
    names = _names(source)
    if names is None:
        return None
    if head not in names:
        near = get_close_matches(head, names, n=1)
        return f'but "{module}" has no "{head}"' + (f'; did you mean "{module}.{near[0]}"?' if near else "")
    statement = names[head]
    if statement is None:
        return None
    origin = ".".join(filter(None, (_origin(head, statement, module, path), dot and name.removeprefix(head + dot))))
    return f'which is only imported there; write "{origin}"'


def _has_submodule(path: Path, name: str) -> bool:
    folder = path.parent
    return path.stem == "__init__" and ((folder / name).is_dir() or any(folder.glob(f"{name}.*")))


def _origin(name: str, statement: ast.ImportFrom, module: str, path: Path) -> str:
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    source = resolve_name("." * statement.level + (statement.module or ""), package)
    return next(f"{source}.{alias.name}" for alias in statement.names if name == (alias.asname or alias.name))


def _names(source: str) -> _Names | None:
    """The names of a module; None if it may have names that its source does not show."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    names: _Names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            names.update(dict.fromkeys(node.names))
        if isinstance(node, ast.Name) and node.id in _HIDING:
            return None
    # A name that is imported in one branch and defined in another counts as defined.
    names.update(sorted(_bound(tree), key=lambda bound: bound[1] is None))
    return names if "*" not in names and _HIDING.isdisjoint(names) else None


def _bound(tree: ast.Module) -> Iterator[tuple[str, ast.ImportFrom | None]]:
    """The names bound at the top level, also under conditions."""
    pending: list[ast.AST] = [*tree.body]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, node) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name.partition(".")[0], None) for alias in node.names)
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, None
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, None
        elif not isinstance(node, ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))
