"""Which object an expression stands for: a part of what some variable holds."""

from mypy.nodes import Expression, IndexExpr, MemberExpr, MypyFile, NameExpr, SliceExpr, SymbolNode, TypeInfo, Var

from ...syntax.literals import literal
from ..bindings import ANY_KEY, UPDATED, Binding, Path
from .names import Functions
from .names import Place as Place


def place_of(node: Expression, functions: Functions) -> Place | None:
    """None for what is made here, or may be."""
    if isinstance(node, NameExpr):
        return _place_of_name(node.node, functions)
    if isinstance(node, MemberExpr):
        base = place_of(node.expr, functions)
        path: Path = () if node.name == "__dict__" else (f".{node.name}",)
        return base.below(path) if base is not None else None
    if isinstance(node, IndexExpr) and not isinstance(node.index, SliceExpr):
        base = place_of(node.base, functions)
        return base.below((key_of(node.index),)) if base is not None else None
    return None


def key_of(index: Expression) -> str:
    key = literal(index)
    return f"[{key!r}]" if isinstance(key, (int, str)) else ANY_KEY


def _place_of_name(node: SymbolNode | None, functions: Functions) -> Place | None:
    if isinstance(node, (MypyFile, TypeInfo)):
        return Place(node)
    if not isinstance(node, Var):
        return None
    if node not in functions.places:
        functions.places[node] = Place(node)  # while it is followed: `node = node.next` leads back to it
        functions.places[node] = _followed(node, functions)
    return functions.places[node]


def _followed(variable: Var, functions: Functions) -> Place | None:
    """What all bindings of a variable agree on; nothing for a parameter that gets other values, too."""
    bindings = functions.bindings.get(variable, [])
    is_parameter = any(binding.is_parameter for binding in bindings)
    if variable not in functions.owners or is_parameter:
        return Place(variable) if len(bindings) == 1 or not is_parameter else None
    places = {_place_of_binding(binding, functions) for binding in bindings}
    only = places.pop() if len(places) == 1 else None
    return only if only is not None else Place(variable)


def _place_of_binding(binding: Binding, functions: Functions) -> Place | None:
    if binding.value is None or UPDATED in binding.path:
        return None
    base = place_of(binding.value, functions)
    return base.below(binding.path) if base is not None else None


def begins_with(path: Path, start: Path) -> bool:
    """Whether one place may be inside another, or the same."""
    return len(path) >= len(start) and all(map(_may_be_same, path, start))


def _may_be_same(a: str, b: str) -> bool:
    return a == b or (ANY_KEY in (a, b) and a[0] == b[0] == "[")
