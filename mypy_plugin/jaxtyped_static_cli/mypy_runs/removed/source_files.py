"""A file, by its syntax: what its names stand for, and where it uses what is not there."""

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ...files.parsing import parsed_by_python
from ...files.sources import split
from .guards import Parents, asking_in, is_dead, is_guarded, is_never_evaluated

_TREES_KEPT: Final = 4  # errors come in the order of files
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Module)
_IGNORE: Final = re.compile(r"#\s*type:\s*ignore\b")
_IGNORING: Final = re.compile(r"^#\s*mypy:\s*ignore-errors", re.MULTILINE)

Node = ast.expr | ast.stmt | ast.alias | ast.keyword


class Use(NamedTuple):
    """A place where a name is used that is gone. Lines count from 1, columns from 0."""

    name: str  # of what is not there, or of the function that has no such argument
    error: str  # what it raises
    line: int
    column: int
    end_line: int
    end_column: int
    argument: str = ""
    is_certain: bool = True  # whether the value surely is what mypy takes it for
    positions: int | None = None  # how many arguments the function takes by position, if it gets more


class SourceFile:
    """A file, and what its names stand for."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self._lines = split(text)
        self._tree = tree
        self.parents: Parents = {part: node for node in ast.walk(tree) for part in ast.iter_child_nodes(node)}
        self._asking = asking_in(tree)
        self._imported: dict[ast.AST, dict[str, set[str]]] = {}
        self._scopes: dict[ast.AST, ast.AST] = {}  # the function or class around each node
        self.imports = [node for node in self.parents if isinstance(node, ast.Import | ast.ImportFrom)]
        for node, outer in self.parents.items():  # what is outside comes first
            self._scopes[node] = outer if isinstance(outer, _SCOPES) else self._scopes.get(outer, tree)
            names = self._imported.setdefault(self._scopes[node], {})
            for bound, full_name in _bound_by(node):
                names.setdefault(bound, set()).add(full_name)

    def is_unused_import(self, use: Use) -> bool:
        """Whether a use is in an import of which this file uses no name."""
        around = (node for node in self.imports if node.lineno <= use.line <= (node.end_lineno or node.lineno))
        bound = {name for node in around for name, _ in _bound_by(node)}
        used = (node.id for node in self.parents if isinstance(node, ast.Name))
        listed = (node.value for node in self.parents if isinstance(node, ast.Constant) and isinstance(node.value, str))
        return bool(bound) and bound.isdisjoint({*used, *listed})

    def full_name(self, node: ast.expr) -> str:
        """What an expression names, as the imports around it say; nothing if they say several things, or none."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        value = self._imported_as(node) if isinstance(node, ast.Name) else ""
        return ".".join([value, *reversed(attributes)]) if value else ""

    def _imported_as(self, node: ast.Name) -> str:
        scope: ast.AST | None = self._scopes.get(node)
        while scope is not None:
            if names := self._imported.get(scope, {}).get(node.id):
                return next(iter(names)) if len(names) == 1 else ""
            scope = self._scopes.get(scope)
        return ""

    def is_builtin(self, node: ast.expr, name: str) -> bool:
        """Whether an expression is a name of Python's own, which nothing in the file binds."""
        is_bound = any(name in bound for bound in self._imported.values())
        return isinstance(node, ast.Name) and node.id == name and not is_bound

    def named(self, written: str) -> str:
        """What `jnp.product` names, by any import of the file."""
        first, _, rest = written.partition(".")
        found = {full for names in self._imported.values() for full in names.get(first, ()) if full}
        return f"{next(iter(found))}.{rest}" if len(found) == 1 else ""

    def nodes(self) -> Iterable[ast.AST]:
        return self.parents

    def outermost(self, found: Sequence[ast.expr]) -> list[ast.expr]:
        """Those that are no direct part of another one."""
        return [node for node in found if self.parents[node] not in found]

    def use(
        self,
        node: Node,
        name: str,
        error: str,
        argument: str = "",
        *,
        is_certain: bool = True,
        positions: int | None = None,
    ) -> Use:
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        start = self._column(node.lineno, node.col_offset)
        return Use(
            name, error, node.lineno, start, end_line, self._column(end_line, end), argument, is_certain, positions
        )

    def _column(self, line: int, offset: int) -> int:
        """In characters; Python's parser counts bytes."""
        return len(self._lines[line - 1].encode()[:offset].decode(errors="replace"))

    def raises(self, node: Node, python: tuple[int, int] = (0, 0)) -> bool:
        if any(map(_IGNORE.search, self._lines[node.lineno - 1 : node.end_lineno])):
            return False
        if is_never_evaluated(node, self._tree, self.parents, python) or is_dead(node, self.parents):
            return False
        return not is_guarded(node, self.parents, self._asking)


def _bound_by(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a node binds, with what they stand for; nothing if that is not imported."""
    if isinstance(node, ast.arg):
        yield node.arg, ""
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id, ""
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name, ""
    for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
        if isinstance(node, ast.Import):
            first = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (first, first)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield alias.asname or alias.name, f"{module}.{alias.name}"


@functools.lru_cache(_TREES_KEPT)
def source_file(content: bytes) -> SourceFile | None:
    """None for what cannot be parsed, or is left out of what mypy reports."""
    text = content.decode("utf-8-sig", errors="replace")
    tree = parsed_by_python(text) if _IGNORING.search(text) is None else None
    return SourceFile(text, tree) if tree is not None else None
