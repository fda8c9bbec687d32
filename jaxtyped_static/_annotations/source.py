"""Finds where a name is bound according to the source, for names that exist only for type checkers.

Nothing here imports or runs the code it reads: an import under `if TYPE_CHECKING:` is often there to break a cycle.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import resolve_name
from typing import Any, NamedTuple

from jaxtyped_static._annotations.syntax import parse


class Definition:
    """A class, a function or a type parameter: never an alias of a marker."""


class Assignment(NamedTuple):
    """`name = value`, `name: TypeAlias = value` or `type name = value`."""

    value: ast.expr


class ModuleImport(NamedTuple):
    """`import module`."""

    module: str


class MemberImport(NamedTuple):
    """`from module import member`."""

    module: str
    member: str


Binding = Definition | Assignment | ModuleImport | MemberImport

# The `type` statement exists from Python 3.12 on.
_TYPE_ALIAS: Any = getattr(ast, "TypeAlias", None)

_Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def module_file(module: str) -> str | None:
    """Returns the source file of a module, loaded or not; None without one (not installed, stub only, an extension)."""
    loaded = sys.modules.get(module)
    spec = getattr(loaded, "__spec__", None) or _find_spec(module)
    filename = getattr(loaded, "__file__", None) or getattr(spec, "origin", None)
    return filename if isinstance(filename, str) and filename.endswith(".py") else None


def find_binding(filename: str, package: str | None, qualname: Sequence[str], name: str) -> Binding | None:
    """Returns the binding that `name` has at `qualname` (the scope's path in its module), innermost scope first.

    If a scope binds a name more than once, the last binding counts.
    """
    tree = parse(filename)
    if tree is None:
        return None
    for scope in reversed(_enclosing(tree, qualname)):
        if any(getattr(parameter, "name", None) == name for parameter in getattr(scope, "type_params", ())):
            return Definition()
        if found := list(_bindings(scope.body, name, package)):
            return found[-1]
    return None


def has_star_import(filename: str) -> bool:
    """Returns whether a module's top level has `from ... import *`."""
    tree = parse(filename)
    statements = () if tree is None else _statements(tree.body)
    return any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in statements)


def _find_spec(module: str) -> ModuleSpec | None:
    """Finds a module's spec without importing its parent packages, as `importlib.util.find_spec` would."""
    parent, _, _ = module.rpartition(".")
    path: Sequence[str] | None = None
    if parent:
        loaded = sys.modules.get(parent)
        spec = None if loaded is not None else _find_spec(parent)
        path = getattr(loaded, "__path__", None) or getattr(spec, "submodule_search_locations", None)
        if path is None:
            return None
    specs = (finder.find_spec(module, path) for finder in sys.meta_path if hasattr(finder, "find_spec"))
    return next((spec for spec in specs if spec is not None), None)


def _enclosing(tree: ast.Module, qualname: Sequence[str]) -> list[_Scope]:
    """Yields the scopes along `qualname`, outermost first, as far as the source has them."""
    scopes: list[_Scope] = [tree]
    for part in qualname:
        inner = [node for node in _statements(scopes[-1].body) if isinstance(node, _Scope) and node.name == part]
        if not inner:
            break
        scopes.append(inner[-1])
    return scopes


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements of one scope, including those in `if`, `try`, `with` and loops, but not of inner scopes."""
    for statement in body:
        yield statement
        if isinstance(statement, _Scope):
            continue
        for block in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, block, ()))
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from _statements(part.body)


def _bindings(body: Sequence[ast.stmt], name: str, package: str | None) -> Iterator[Binding]:
    for statement in _statements(body):
        match statement:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() if statement.name == name:
                yield Definition()
            case ast.Assign(targets=targets, value=value) if any(_is_name(target, name) for target in targets):
                yield Assignment(value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) if _is_name(target, name):
                yield Assignment(value)
            case ast.Import(names=aliases):
                yield from _imported_modules(aliases, name)
            case ast.ImportFrom(names=aliases):
                yield from _imported_members(statement, name, package)
            case _ if _TYPE_ALIAS and isinstance(statement, _TYPE_ALIAS) and _is_name(statement.name, name):
                yield Assignment(statement.value)


def _is_name(node: object, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _imported_modules(aliases: Sequence[ast.alias], name: str) -> Iterator[Binding]:
    for alias in aliases:
        top = alias.name.partition(".")[0]
        if (alias.asname or top) == name:
            yield ModuleImport(alias.name if alias.asname else top)


def _imported_members(statement: ast.ImportFrom, name: str, package: str | None) -> Iterator[Binding]:
    for alias in statement.names:
        if (alias.asname or alias.name) != name:
            continue
        if statement.level and not package:
            continue
        module = resolve_name("." * statement.level + (statement.module or ""), package)
        yield MemberImport(module, alias.name)
