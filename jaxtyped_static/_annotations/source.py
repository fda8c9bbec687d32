"""Finds where a name is bound according to the source, for names that exist only for type checkers.

Nothing here imports or runs the code it reads: an import under `if TYPE_CHECKING:` is often there to break a cycle.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.machinery import ModuleSpec
from importlib.util import resolve_name
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyped_static._annotations.syntax import parse


class Definition(NamedTuple):
    """A class, a function or a type parameter: never an alias of a marker.

    Attributes:
        path: the classes and functions that lead to it in its module, itself included; empty for a type parameter.
    """

    path: tuple[str, ...] = ()


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


def namespace_of(module: object) -> dict[str, object]:
    """Returns the names that a module has now. Reading `module.__dict__` would load a lazy module (`LazyLoader`)."""
    try:
        names: dict[str, object] = object.__getattribute__(module, "__dict__")
    except AttributeError:
        return {}
    return names


def module_file(module: str) -> str | None:
    """Returns the source file of a module, loaded or not; None without one (not installed, stub only, an extension)."""
    origin = _origin(module)
    return origin if origin is not None and origin.endswith(".py") else None


def source_files(module: str) -> tuple[str, ...]:
    """Returns the files that may bind the names of a module: its source, and the stub beside it."""
    origin = _origin(module)
    if origin is None:
        return ()
    file = Path(origin)
    stub = str(file.with_name(f"{file.name.partition('.')[0]}.pyi"))
    return (origin, stub) if file.suffix == ".py" else (stub,)


def package_of_module(module: str, filename: str) -> str:
    """Returns the package that the relative imports of a module start from."""
    return module if Path(filename).stem == "__init__" else module.rpartition(".")[0]


def exists(module: str) -> bool:
    """Returns whether a module is loaded, or can be imported."""
    return module in sys.modules or _find_spec(module) is not None


def is_readable(filename: str) -> bool:
    """Returns whether a file is there, and has the syntax of this Python."""
    return parse(filename) is not None


def _origin(module: str) -> str | None:
    """Returns the file of a module, loaded or not."""
    loaded = namespace_of(sys.modules.get(module))
    spec = loaded.get("__spec__") or _find_spec(module)
    filename = loaded.get("__file__") or getattr(spec, "origin", None)
    return filename if isinstance(filename, str) else None


def find_binding(filename: str, package: str | None, qualname: Sequence[str], name: str) -> Binding | None:
    """Returns the binding that `name` has at `qualname` (the scope's path in its module), innermost scope first.

    If a scope binds a name more than once, the last binding counts.
    """
    tree = parse(filename)
    if tree is None:
        return None
    scopes = _enclosing(tree, qualname)
    for depth in reversed(range(len(scopes))):
        scope = scopes[depth]
        if any(getattr(parameter, "name", None) == name for parameter in getattr(scope, "type_params", ())):
            return Definition()
        if (found := _last_binding(scope, tuple(qualname[:depth]), name, package)) is not None:
            return found
    return None


def find_in_class(filename: str, package: str | None, path: Sequence[str], name: str) -> Binding | None:
    """Returns the binding that `name` has in the body of the class at `path`."""
    tree = parse(filename)
    scopes = [] if tree is None else _enclosing(tree, path)
    if len(scopes) != len(path) + 1:
        return None
    return _last_binding(scopes[-1], tuple(path), name, package)


def star_imports(filename: str, package: str | None) -> tuple[str, ...]:
    """Returns the modules of which a file's top level imports `*`."""
    tree = parse(filename)
    return () if tree is None else _star_imports(tree, package)


@lru_cache(maxsize=64)
def _star_imports(tree: ast.Module, package: str | None) -> tuple[str, ...]:
    starred = (
        node for node in _statements(tree.body) if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    )
    return tuple(module for node in starred if (module := _imported_from(node, package)) is not None)


def _find_spec(module: str) -> ModuleSpec | None:
    """Finds a module's spec without importing its parent packages, as `importlib.util.find_spec` would."""
    parent, _, _ = module.rpartition(".")
    path: Sequence[str] | None = None
    if parent:
        loaded = sys.modules.get(parent)
        spec = None if loaded is not None else _find_spec(parent)
        path = namespace_of(loaded).get("__path__") or getattr(spec, "submodule_search_locations", None)  # type: ignore[assignment]
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


def _last_binding(scope: _Scope, path: tuple[str, ...], name: str, package: str | None) -> Binding | None:
    last = next(reversed(list(_bindings(scope.body, name, package))), None)
    return Definition((*path, name)) if isinstance(last, Definition) else last


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
        if (alias.asname or alias.name) == name and (module := _imported_from(statement, package)) is not None:
            yield MemberImport(module, alias.name)


def _imported_from(statement: ast.ImportFrom, package: str | None) -> str | None:
    """Returns the module that a statement imports from; None if it is relative to an unknown or smaller package."""
    if not statement.level:
        return statement.module
    try:
        return resolve_name("." * statement.level + (statement.module or ""), package)
    except ImportError:
        return None
