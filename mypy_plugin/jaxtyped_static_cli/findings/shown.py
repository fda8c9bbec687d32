"""Whether a call shows that it passes a list, a dict or a set: by what its module writes out, or declares.

What nothing shows to be one is taken for none, where the annotation of a parameter would make each call raise.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mypy.nodes import (
    Argument,
    AssignmentStmt,
    CallExpr,
    ConditionalExpr,
    Expression,
    FuncDef,
    FuncItem,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    ReturnStmt,
)
from mypy.types import AnyType, CallableType

from jaxtyped_static_mypy.source.surroundings import nodes_around, parents_below
from jaxtyped_static_mypy.syntax.assignments import targets_of
from jaxtyped_static_mypy.syntax.literals import MUTABLE_DISPLAYS
from jaxtyped_static_mypy.syntax.names import last_name
from jaxtyped_static_mypy.syntax.trees import nodes_below

_MAKING: Final = frozenset({"dict", "list", "set", "sorted"})
_METHODS: Final = frozenset({"copy", "rsplit", "split", "splitlines", "tolist"})
_MAX_DEPTH: Final = 4  # a name may be bound to another one


@dataclass(frozen=True, eq=False)
class Showing:
    """What the values of one module show. `functions`: those of the program with a name."""

    tree: MypyFile
    functions: Callable[[str], Iterable[FuncDef]]

    def is_container(self, value: Expression, depth: int = _MAX_DEPTH) -> bool:
        """Whether a value may be one, for all that the syntax shows; what an object has may be one."""
        if isinstance(value, ConditionalExpr):
            return any(self.is_container(arm, depth) for arm in (value.if_expr, value.else_expr))
        if isinstance(value, NameExpr):
            return self._is_bound_to_container(value, depth)
        if isinstance(value, CallExpr):
            return self._makes_container(value.callee)
        return isinstance(value, (*MUTABLE_DISPLAYS, MemberExpr))

    def _is_bound_to_container(self, name: NameExpr, depth: int) -> bool:
        around = [node for node in nodes_around(name, self._parents) if isinstance(node, FuncItem)]
        if depth == 0 or not around:
            return True
        values = list(_values(around[-1], name.name))
        if values:
            return any(value is None or self.is_container(value, depth - 1) for value in values)
        found = next((one for function in around for one in _named(function.arguments, name.name)), None)
        return found is None or found.type_annotation is not None

    @cached_property
    def _parents(self) -> Mapping[Node, Node]:
        return parents_below(self.tree)

    def _makes_container(self, callee: Expression) -> bool:
        name = last_name(callee)
        if name in (_METHODS if isinstance(callee, MemberExpr) else _MAKING):
            return True
        return any(map(_returns_container, self.functions(name)))


def _values(function: FuncItem, name: str) -> Iterator[Expression | None]:
    """What a function binds to a name; None for what no statement writes out."""
    for node in nodes_below(function):
        for target in targets_of(node):
            if isinstance(target, NameExpr) and target.name == name:
                is_whole = isinstance(node, AssignmentStmt) and target in node.lvalues and node.unanalyzed_type is None
                yield node.rvalue if isinstance(node, AssignmentStmt) and is_whole else None


def _named(arguments: Iterable[Argument], name: str) -> Iterator[Argument]:
    return (one for one in arguments if one.variable.name == name)


def _returns_container(function: FuncDef) -> bool:
    """Whether a function is declared to return something, or returns what it writes out there."""
    typ = function.unanalyzed_type
    if isinstance(typ, CallableType) and not isinstance(typ.ret_type, AnyType):
        return True
    values = (node.expr for node in _returns(function))
    return any(isinstance(value, MUTABLE_DISPLAYS) or _is_made(value) for value in values)


def _returns(function: Node) -> Iterator[ReturnStmt]:
    return (node for node in nodes_below(function) if isinstance(node, ReturnStmt))


def _is_made(value: Expression | None) -> bool:
    return isinstance(value, CallExpr) and last_name(value.callee) in _MAKING | _METHODS
