"""Where a file uses a name that JAX no longer has, by its syntax: mypy's errors name only the end of it."""

import ast
import functools
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from jaxtyped_static_mypy.knowledge.removed_names import MODULES, REFUSED, REMOVED, STILL_NAMES, removed

from ...files.parsing import parsed_by_python
from ...files.sources import split
from .guards import Parents, asking_names, is_guarded, is_never_evaluated

_ANSWERS_KEPT: Final = 4096
_TREES_KEPT: Final = 4  # errors come in the order of files
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Module)
_IGNORE: Final = re.compile(r"#\s*type:\s*ignore\b")
_IGNORING: Final = re.compile(r"^#\s*mypy:\s*ignore-errors", re.MULTILINE)
LAST_NAMES: Final = frozenset(name.rpartition(".")[2] for name in REMOVED)
_ALL: Final = "|".join(sorted(LAST_NAMES))
_MODULE_NAMES: Final = "|".join(sorted({name.rpartition(".")[2] for name in MODULES}))
_REFUSED_NAMES: Final = frozenset(name.rpartition(".")[2] for name in REFUSED)
_IMPORTING: Final = re.compile(
    rf"^\s*(?:from|import)\s+jax[\w.]*\.(?:{_MODULE_NAMES})\b"
    rf"|^\s*from\s+jax[\w.]*\s+import\s*(?:\([^)]*|.*)\b(?:{_MODULE_NAMES})\b",
    re.MULTILINE,
)
# What gives JAX a name again: `jax.tree_map = ...`, `setattr(jax, "tree_map", ...)`, `sys.modules["jax.config"] = ...`.
_ASSIGNED: Final = re.compile(rf"^\s*(\w+(?:\.\w+)*\.(?:{_ALL}))\s*=(?!=)", re.MULTILINE)
_SET: Final = re.compile(r"\bsetattr\(\s*([\w.]+)\s*,\s*[\"'](\w+)[\"']")
_MADE: Final = re.compile(r"\bsys\.modules\[\s*[\"'](jax\.[\w.]+)[\"']\s*\]\s*=(?!=)")

_Node = ast.expr | ast.stmt | ast.alias

_ATTRIBUTE, _IMPORT, _NO_MODULE = "AttributeError", "ImportError", "ModuleNotFoundError"


class Use(NamedTuple):
    """A place where a name is used that is gone. Lines count from 1, columns from 0."""

    name: str
    error: str  # what it raises
    line: int
    column: int
    end_line: int
    end_column: int


class SourceFile:
    """A file, and what its names stand for."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self._lines = split(text)
        self._tree = tree
        self._parents: Parents = {part: node for node in ast.walk(tree) for part in ast.iter_child_nodes(node)}
        self._asking = asking_names(tree)
        self._imported: dict[ast.AST, dict[str, set[str]]] = {}
        self._imports = [node for node in self._parents if isinstance(node, ast.Import | ast.ImportFrom)]
        for node in self._parents:
            names = self._imported.setdefault(self._scope(node), {})
            for bound, full_name in _bound_by(node):
                names.setdefault(bound, set()).add(full_name)

    def attributes(self, line: int, last: str, python: tuple[int, int]) -> list[Use]:
        """The uses of a name that ends so, in an expression that begins on a line, where they raise."""
        found = (node for node in self._parents if isinstance(node, ast.Attribute) and node.attr == last)
        here = [node for node in found if node.lineno == line and isinstance(node.ctx, ast.Load)]
        outermost = [node for node in here if self._parents[node] not in here]  # of `jax.config.config`
        named = [(node, name) for node in outermost if (name := removed(self.full_name(node)))]
        return [self._use(node, name, _ATTRIBUTE) for node, name in named if self._raises(node, python)]

    def from_import(self, line: int, module: str, last: str) -> list[Use]:
        """The import of a name from a module, in a statement that begins on a line."""
        name = removed(f"{module}.{last}")
        if name is None:
            return []
        statements = (node for node in self._imports if isinstance(node, ast.ImportFrom) and node.lineno == line)
        parts = [(node, alias) for node in statements for alias in node.names if alias.name == last]
        return [self._use(alias, name, _IMPORT) for node, alias in parts if self._raises(node)]

    def module_imports(self) -> list[Use]:
        """The imports of modules that are gone; mypy is silent about modules that it does not find.

        If one file imports such a module, it is silent about its name in all others.
        """
        whole = [(node, node, name, _NO_MODULE) for node in self._imports for name in _modules_of(node)]
        parts = [(node, alias, name, _IMPORT) for node in self._imports for alias, name in _parts_of(node)]
        named = ((node, at, removed(name), error) for node, at, name, error in (*whole, *parts))
        gone = [(node, at, name, error) for node, at, name, error in named if name is not None and name in MODULES]
        return [self._use(at, name, error) for node, at, name, error in gone if self._raises(node)]

    def refused(self, python: tuple[int, int]) -> list[Use]:
        """The uses of names that JAX shows to mypy, and refuses when a program runs."""
        found = (node for node in self._parents if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load))
        named: list[tuple[_Node, _Node, str, str]] = [
            (node, node, self.full_name(node), _ATTRIBUTE) for node in found if node.attr in _REFUSED_NAMES
        ]
        parts = [(node, alias, name, _IMPORT) for node in self._imports for alias, name in _parts_of(node)]
        refused = [(node, at, name, error) for node, at, name, error in (*named, *parts) if name in REFUSED]
        return [self._use(at, name, error) for node, at, name, error in refused if self._raises(node, python)]

    def full_name(self, node: ast.expr) -> str:
        """What an expression names, as the imports around it say; nothing if they say several things, or none."""
        if isinstance(node, ast.Attribute):
            value = self.full_name(node.value)
            return f"{value}.{node.attr}" if value else ""
        if not isinstance(node, ast.Name):
            return ""
        scope: ast.AST | None = node
        while scope is not None:
            scope = self._scope(scope)
            if names := self._imported.get(scope, {}).get(node.id):
                return next(iter(names)) if len(names) == 1 else ""
            if isinstance(scope, ast.Module):
                return ""
        return ""

    def named(self, written: str) -> str:
        """What `jnp.product` names, by any import of the file."""
        first, _, rest = written.partition(".")
        found = {full for names in self._imported.values() for full in names.get(first, ())}
        return f"{next(iter(found))}.{rest}" if len(found) == 1 else ""

    def _scope(self, node: ast.AST) -> ast.AST:
        outer = self._parents.get(node)
        while outer is not None and not isinstance(outer, _SCOPES):
            outer = self._parents.get(outer)
        return outer or self._tree

    def _use(self, node: _Node, name: str, error: str) -> Use:
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Use(
            name, error, node.lineno, self._column(node.lineno, node.col_offset), end_line, self._column(end_line, end)
        )

    def _column(self, line: int, offset: int) -> int:
        """In characters; Python's parser counts bytes."""
        return len(self._lines[line - 1].encode()[:offset].decode(errors="replace"))

    def _raises(self, node: _Node, python: tuple[int, int] = (0, 0)) -> bool:
        if any(map(_IGNORE.search, self._lines[node.lineno - 1 : node.end_lineno])):
            return False
        if is_never_evaluated(node, self._tree, self._parents, python):
            return False
        return not is_guarded(node, self._parents, self._asking)


def _bound_by(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a node binds, with what they stand for; nothing if that is not imported."""
    if isinstance(node, ast.arg):
        yield node.arg, ""
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id, ""
    for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
        if isinstance(node, ast.Import):
            first = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (first, first)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield alias.asname or alias.name, f"{module}.{alias.name}"


def _parts_of(node: ast.Import | ast.ImportFrom) -> list[tuple[ast.alias, str]]:
    """What a statement imports from a module that is still there."""
    if isinstance(node, ast.Import) or node.level or removed(node.module or ""):
        return []
    named = ((alias, f"{node.module}.{alias.name}") for alias in node.names)
    return [(alias, name) for alias, name in named if name not in STILL_NAMES]


def _modules_of(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if node.module and not node.level else []


@functools.lru_cache(_TREES_KEPT)
def _source_file(content: bytes) -> SourceFile | None:
    """None for what cannot be parsed, or is left out of what mypy reports."""
    text = content.decode("utf-8-sig", errors="replace")
    tree = parsed_by_python(text) if _IGNORING.search(text) is None else None
    return SourceFile(text, tree) if tree is not None else None


@functools.lru_cache(_ANSWERS_KEPT)
def attributes(content: bytes, line: int, last: str, python: tuple[int, int]) -> tuple[Use, ...]:
    """See `SourceFile`."""
    file = _source_file(content)
    return tuple(file.attributes(line, last, python)) if file is not None else ()


@functools.lru_cache(_ANSWERS_KEPT)
def from_import(content: bytes, line: int, module: str, last: str) -> tuple[Use, ...]:
    """See `SourceFile`."""
    file = _source_file(content)
    return tuple(file.from_import(line, module, last)) if file is not None else ()


@functools.lru_cache(_ANSWERS_KEPT)
def module_imports(content: bytes) -> tuple[Use, ...]:
    """The imports in a file of modules that some release of JAX does not have."""
    if _IMPORTING.search(content.decode(errors="replace")) is None:
        return ()
    file = _source_file(content)
    return tuple(file.module_imports()) if file is not None else ()


@functools.lru_cache(_ANSWERS_KEPT)
def refused(content: bytes, python: tuple[int, int]) -> tuple[Use, ...]:
    """See `SourceFile`."""
    if not any(name.encode() in content for name in _REFUSED_NAMES):
        return ()
    file = _source_file(content)
    return tuple(file.refused(python)) if file is not None else ()


@functools.lru_cache(_ANSWERS_KEPT)
def provided(content: bytes) -> frozenset[str]:
    """The names that a file gives to JAX itself, by their full names."""
    text = content.decode(errors="replace")
    written = [*_ASSIGNED.findall(text), *(".".join(pair) for pair in _SET.findall(text))]
    file = _source_file(content) if written else None
    named = (file.named(name) for name in written) if file is not None else ()
    return frozenset((*_MADE.findall(text), *named))
