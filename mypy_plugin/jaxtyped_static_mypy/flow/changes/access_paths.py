"""Finds the object that an expression refers to: a variable's, or one reached from it."""

from mypy.nodes import (
    Decorator,
    Expression,
    FuncDef,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    SliceExpr,
    SymbolNode,
    TypeInfo,
    Var,
)

from ...source.bindings import ANY_KEY, UPDATED, Binding, Path
from ...source.nested_functions import AccessPath as AccessPath
from ...source.nested_functions import Functions
from ...syntax.literals import literal


def access_path(node: Expression, functions: Functions) -> AccessPath | None:
    """The access path of an expression; None unless it is, or is reached from, a variable, class or module."""
    if isinstance(node, NameExpr):
        return _path_of_name(node.node, functions)
    if isinstance(node, MemberExpr):
        base = access_path(node.expr, functions)
        path: Path = () if node.name == "__dict__" else (f".{node.name}",)
        return base.below(path) if base is not None else None
    if isinstance(node, IndexExpr) and not isinstance(node.index, SliceExpr):
        base = access_path(node.base, functions)
        return base.below((key_of(node.index),)) if base is not None else None
    return None


def key_of(index: Expression) -> str:
    """The part of an access path that an index stands for: `[key]`, or `ANY_KEY`."""
    key = literal(index)
    return f"[{key!r}]" if isinstance(key, (int, str)) else ANY_KEY


def _path_of_name(node: SymbolNode | None, functions: Functions) -> AccessPath | None:
    if isinstance(node, (MypyFile, TypeInfo)):
        return AccessPath(node)
    if isinstance(node, (FuncDef, Decorator)):
        return AccessPath(node) if _outlives_traces(node, functions) else None
    if not isinstance(node, Var):
        return None
    if node not in functions.access_paths:
        functions.access_paths[node] = AccessPath(node)  # while it is followed: `node = node.next` leads back to it
        functions.access_paths[node] = _followed(node, functions)
    return functions.access_paths[node]


def _outlives_traces(node: FuncDef | Decorator, functions: Functions) -> bool:
    """Whether this is a function of the module, so that its attributes are there when a trace has ended."""
    symbol = functions.file.tree.names.get(node.name)
    return symbol is not None and symbol.node is node


def _followed(variable: Var, functions: Functions) -> AccessPath | None:
    """The access path that all bindings of a variable share, else the variable; None for a reassigned parameter."""
    bindings = functions.bindings.get(variable, [])
    is_parameter = any(binding.is_parameter for binding in bindings)
    if variable not in functions.owners or is_parameter:
        return AccessPath(variable) if len(bindings) == 1 or not is_parameter else None
    paths = {_path_of_binding(binding, functions) for binding in bindings}
    only = paths.pop() if len(paths) == 1 else None
    return only if only is not None else AccessPath(variable)


def _path_of_binding(binding: Binding, functions: Functions) -> AccessPath | None:
    if binding.value is None or UPDATED in binding.path:
        return None
    base = access_path(binding.value, functions)
    return base.below(binding.path) if base is not None else None


def begins_with(path: Path, start: Path) -> bool:
    """Whether one path may be equal to or below another."""
    return len(path) >= len(start) and all(map(_may_be_same, path, start))


def _may_be_same(a: str, b: str) -> bool:
    return a == b or (ANY_KEY in (a, b) and a[0] == b[0] == "[")
