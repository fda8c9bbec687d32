"""Which object an expression stands for: a part of what some variable holds."""

from typing import Final, NamedTuple

from mypy.nodes import Expression, IndexExpr, MemberExpr, MypyFile, NameExpr, SliceExpr, SymbolNode, TypeInfo, Var

from ..facts.literals import literal
from .names import ANY_KEY, Binding, Functions, Path

_MAX_STEPS: Final = 12  # `node = node.next` leads to ever longer paths


class Place(NamedTuple):
    """An object: the one that a variable, class or module holds or is, or one that is reached from there."""

    root: SymbolNode
    path: Path = ()

    def below(self, path: Path) -> "Place":
        return Place(self.root, self.path + path)


def place_of(node: Expression, functions: Functions, steps: int = _MAX_STEPS) -> Place | None:
    """None for what is made here, or may be."""
    if isinstance(node, NameExpr):
        return _place_of_name(node.node, functions, steps)
    if isinstance(node, MemberExpr):
        base = place_of(node.expr, functions, steps)
        path: Path = () if node.name == "__dict__" else (f".{node.name}",)
        return base.below(path) if base is not None else None
    if isinstance(node, IndexExpr) and not isinstance(node.index, SliceExpr):
        base = place_of(node.base, functions, steps)
        return base.below((key_of(node.index),)) if base is not None else None
    return None


def key_of(index: Expression) -> str:
    key = literal(index)
    return f"[{key!r}]" if isinstance(key, (int, str)) else ANY_KEY


def _place_of_name(node: SymbolNode | None, functions: Functions, steps: int) -> Place | None:
    if isinstance(node, (MypyFile, TypeInfo)):
        return Place(node)
    if not isinstance(node, Var) or steps == 0:
        return None
    bindings = functions.bindings.get(node, [])
    is_parameter = any(binding.is_parameter for binding in bindings)
    if node not in functions.owners or is_parameter:
        return Place(node) if len(bindings) == 1 or not is_parameter else None
    places = {_place_of_binding(binding, functions, steps - 1) for binding in bindings}
    only = places.pop() if len(places) == 1 else None
    return only if only is not None else Place(node)


def _place_of_binding(binding: Binding, functions: Functions, steps: int) -> Place | None:
    if binding.value is None or "+" in binding.path:
        return None
    base = place_of(binding.value, functions, steps)
    return base.below(binding.path) if base is not None else None


def begins_with(path: Path, start: Path) -> bool:
    """Whether one place may be inside another, or the same."""
    return len(path) >= len(start) and all(map(_may_be_same, path, start))


def _may_be_same(a: str, b: str) -> bool:
    return a == b or (ANY_KEY in (a, b) and a[0] == b[0] == "[")
