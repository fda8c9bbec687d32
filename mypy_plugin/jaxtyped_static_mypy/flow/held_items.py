"""What a container or object holds that a function gets, by what the function does with its parts: are they arrays?"""

from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

from mypy.nodes import (
    AssertStmt,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    FuncDef,
    IfStmt,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    SymbolNode,
    UnaryExpr,
    Var,
    WhileStmt,
)

from ..knowledge.jax_functions import TAKES_DIMENSIONS, jax_name
from ..knowledge.members import ARRAY_ATTRIBUTES, UNAMBIGUOUS_METHODS
from ..source.bindings import bound_by, made_by
from ..source.checked_file import CheckedFile
from ..syntax.imports import full_name
from ..syntax.literals import items_of_display
from ..syntax.trees import nodes_below
from .traced.given import is_array_given, passed_for

_OF_ARRAYS: Final = ARRAY_ATTRIBUTES | UNAMBIGUOUS_METHODS | {"ndim", "shape"}
_PART_METHODS: Final = frozenset({"get", "items", "pop", "values"})
_RANGE: Final = "builtins.range"
_NEEDED_AS: Final = frozenset({_RANGE, "builtins.getattr"})  # by these, as a plain value


class Held(Enum):
    """What the parts of a value are."""

    ARRAYS = auto()
    PLAIN = auto()  # what Python's own code asks for its value
    BOTH = auto()
    UNKNOWN = auto()


def held_by(function: FuncDef, name: str, file: CheckedFile) -> Held:
    """What the parts are of what a function gets for a parameter."""
    variable = next((one.variable for one in function.arguments if one.variable.name == name), None)
    if variable is None:
        return Held.UNKNOWN
    parts, nodes = _Parts(variable, function), nodes_below(function.body)
    are_arrays = any(_is_array_use(node, parts, file) for node in nodes) or _are_given_arrays(function, name, file)
    are_plain = any(parts.include(part) for node in nodes for part in _needed(node, file))
    if are_arrays:
        return Held.BOTH if are_plain else Held.ARRAYS
    return Held.PLAIN if are_plain else Held.UNKNOWN


class _Parts:
    """The parts of what a variable holds, in the body of a function."""

    def __init__(self, whole: Var, function: FuncDef) -> None:
        self._whole = whole
        self._names: set[SymbolNode] = set()  # of parts
        bound = [found for node in nodes_below(function.body) for found in bound_by(node)]
        for _ in bound:  # what is bound to a part of a part may stand in front of it
            known = len(self._names)
            self._names.update(
                name for name, binding in bound if self._is_part(binding.value, is_whole=not binding.path)
            )
            if len(self._names) == known:
                break

    def include(self, node: Node | None) -> bool:
        return self._is_part(node, is_whole=True)

    def _is_part(self, node: Node | None, *, is_whole: bool) -> bool:
        """Whether a node is a part; or has parts, unless `is_whole`."""
        match node:
            case NameExpr():
                return node.node in self._names or (not is_whole and node.node is self._whole)
            case IndexExpr():
                return self._is_part(node.base, is_whole=False)
            case CallExpr(callee=MemberExpr(name=name, expr=owner)) if name in _PART_METHODS:
                return self._is_part(owner, is_whole=False)
            case MemberExpr():
                return isinstance(node.expr, NameExpr) and node.expr.node is self._whole
        return False


def _is_array_use(node: Node, parts: _Parts, file: CheckedFile) -> bool:
    """Whether a node does to a part what works for arrays alone."""
    if isinstance(node, MemberExpr):
        return node.name in _OF_ARRAYS and parts.include(node.expr)
    if isinstance(node, OpExpr):
        return node.op == "@" and (parts.include(node.left) or parts.include(node.right))
    if isinstance(node, CallExpr):
        is_taken = jax_name(full_name(node.callee, file.tree)) in TAKES_DIMENSIONS
        return is_taken and any(map(parts.include, node.args))
    return False


def _needed(node: Node, file: CheckedFile) -> Iterator[Expression]:
    """What Python's own code asks for its value: conditions, and what counts passes or names an attribute."""
    if isinstance(node, IfStmt):
        for condition in node.expr:
            yield from _asked(condition)
    elif isinstance(node, WhileStmt | AssertStmt):
        yield from _asked(node.expr)
    elif isinstance(node, ConditionalExpr):
        yield from _asked(node.cond)
    elif isinstance(node, CallExpr) and full_name(node.callee, file.tree) in _NEEDED_AS:
        yield from node.args


def _asked(condition: Expression) -> Iterator[Expression]:
    match condition:
        case OpExpr(op="and" | "or"):
            yield from (*_asked(condition.left), *_asked(condition.right))
        case UnaryExpr(op="not"):
            yield from _asked(condition.expr)
        case ComparisonExpr():
            yield from condition.operands if not {"is", "is not"}.issuperset(condition.operators) else ()
        case _:
            yield condition


def _are_given_arrays(function: FuncDef, name: str, file: CheckedFile) -> bool:
    """Whether a call in the file passes a display of which an item is an array."""
    given = (made_by(value, file) for value in passed_for(file, function, name) if value is not None)
    return any(is_array_given(item, file) for value in given for item in items_of_display(value))
