"""What a name of a module stands for, if it stands for the same as long as the program runs."""

import ast
import builtins
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from ...files.python_names import bound_by
from .changing import set_at
from .code import FILES_KEPT, FUNCTIONS, Code, Parsed, Source

_MAX_IMPORTS: Final = 8  # modules that pass a name on
_SCOPES: Final = (*FUNCTIONS, ast.ClassDef)


class Meaning(NamedTuple):
    """What a name stands for: a definition of the project, or something of another package, by its full name.

    Neither, if that cannot be seen or may change; `doubt` then says why.
    """

    source: Source | None = None
    node: ast.FunctionDef | ast.ClassDef | ast.Assign | None = None
    full_name: str = ""
    doubt: str = ""


def meaning_of(name: str, source: Source, code: Code, imports: int = _MAX_IMPORTS) -> Meaning:
    """What a dotted name, as a file writes it outside of functions, stands for."""
    head, _, rest = name.partition(".")
    if source.parsed is None or _imports_everything(source.parsed):
        return Meaning(doubt=f'nothing shows what "{head}" is in {source.shown}')
    found = _bindings(source.parsed).get(head, [])
    if not found:
        is_builtin = hasattr(builtins, head)
        return Meaning(full_name=f"builtins.{name}") if is_builtin else Meaning(doubt=f'nothing shows what "{head}" is')
    if len(found) > 1:
        return Meaning(doubt=f'"{head}" is bound at {source.place(found[0])} and at {source.place(found[1])}')
    node = found[0]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return _imported(_full_name(head, node, source, code) + (f".{rest}" if rest else ""), code, imports)
    if rest:
        return Meaning(doubt=f'"{name}" may change')
    return _defined(head, node, source, code)


def _defined(name: str, node: ast.stmt, source: Source, code: Code) -> Meaning:
    if place := set_at(code).get(name):  # which may be an attribute of a module
        return Meaning(doubt=f'{place} may give "{name}" another value')
    if isinstance(node, ast.FunctionDef | ast.ClassDef) or _is_constant(node):
        assert isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assign)
        return Meaning(source, node)
    return Meaning(doubt=f'"{name}" ({source.place(node)}) may change')


def _is_constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and is_immutable(node.value)


def is_immutable(node: ast.expr) -> bool:
    """Whether an expression is a constant, written out."""
    if isinstance(node, ast.Tuple):
        return all(map(is_immutable, node.elts))
    if isinstance(node, ast.UnaryOp):
        return is_immutable(node.operand)
    return isinstance(node, ast.Constant)


def _imported(full_name: str, code: Code, imports: int) -> Meaning:
    """What a full name stands for: looks into the module of the project whose name it begins with."""
    parts = full_name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        module = code.module(".".join(parts[:end]))
        if module is not None:
            if imports and end == len(parts) - 1:
                return meaning_of(parts[-1], module, code, imports - 1)
            return Meaning(doubt=f'"{full_name}" may change')
    if code.module(full_name) is not None or parts[0] == "":
        return Meaning(doubt=f'nothing shows what "{full_name}" is')
    if parts[0] not in code.modules:
        return Meaning(doubt=f'mypy does not find "{parts[0]}"')
    return Meaning(full_name=full_name)


def _full_name(name: str, node: ast.Import | ast.ImportFrom, source: Source, code: Code) -> str:
    for alias in node.names:
        if (alias.asname or alias.name.partition(".")[0]) != name:
            continue
        if isinstance(node, ast.Import):
            return alias.name if alias.asname else name
        above = _package(source, code, node.level) if node.level else ""
        return ".".join(part for part in (above, node.module, alias.name) if part)
    return ""


def _package(source: Source, code: Code, level: int) -> str:
    """The package that a relative import starts from; empty if the file is no module that mypy knows."""
    name = next((name for name, path in code.modules.items() if path == source.path), "")
    parts = name.split(".") if name else []
    kept = len(parts) - level + (source.path.stem == "__init__")
    return ".".join(parts[:kept]) if kept > 0 else ""


def _imports_everything(parsed: Parsed) -> bool:
    return any(alias.name == "*" for node in parsed.all(ast.ImportFrom) for alias in node.names)


@lru_cache(FILES_KEPT)
def _bindings(parsed: Parsed) -> Mapping[str, list[ast.stmt]]:
    """The statements that bind each name of a module, also in functions that declare it global."""
    found: dict[str, list[ast.stmt]] = {}
    for name, statement in _bound_in(parsed.tree, None):
        found.setdefault(name, []).append(statement)
    for node in parsed.all(ast.Global):
        for name in node.names:
            found.setdefault(name, []).append(node)
    return found


def _bound_in(node: ast.AST, around: ast.stmt | None) -> Iterator[tuple[str, ast.stmt]]:
    """The names that code binds in its own scope, and the statement that binds each."""
    for part in ast.iter_child_nodes(node):
        statement = part if isinstance(part, ast.stmt) else around
        if statement is not None:
            yield from ((name, statement) for name in bound_by(part))
        if not isinstance(part, _SCOPES):
            yield from _bound_in(part, statement)
