"""What a call passes for a parameter, as the syntax of its module shows it: mypy may not know the type of the callee.

A decorator without types may stand in front of the one that compiles, or a value be of unknown type.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    Block,
    BytesExpr,
    CallExpr,
    ConditionalExpr,
    Expression,
    FloatExpr,
    ForStmt,
    FuncDef,
    FuncItem,
    IfStmt,
    IntExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    Statement,
    StrExpr,
    TupleExpr,
    UnaryExpr,
    WhileStmt,
)

from jaxtyped_static_mypy.source.surroundings import nodes_around, parents_below
from jaxtyped_static_mypy.syntax.arguments import argument, unpacks
from jaxtyped_static_mypy.syntax.assignments import targets_of
from jaxtyped_static_mypy.syntax.names import last_name
from jaxtyped_static_mypy.syntax.trees import nodes_below

_CONSTANTS: Final = (BytesExpr, FloatExpr, IntExpr, StrExpr)
_TUPLES: Final = frozenset({"frozenset", "tuple"})
_HASHED: Final = _TUPLES | {"bool", "bytes", "float", "int", "len", "str"}
_TESTING: Final = "isinstance"
OWNERS: Final = frozenset({"cls", "self"})


class Parameter:
    """One of a function's parameters, and where calls pass it."""

    def __init__(self, function: FuncDef, name: str) -> None:
        names = [one.variable.name for one in function.arguments]
        self.name, self.is_known = name, name in names
        self._index = names.index(name) if self.is_known else -1
        self._is_bound = not OWNERS.isdisjoint(names[:1])

    def passed_by(self, call: CallExpr) -> Expression | None:
        """None if the call leaves it out, or may hide it."""
        is_bound = self._is_bound and isinstance(call.callee, MemberExpr)
        return None if unpacks(call) else argument(call, self._index - is_bound, self.name)


def calls_of(
    tree: MypyFile, name: str, parameters: Iterable[Parameter]
) -> Iterator[tuple[CallExpr, Expression | None]]:
    """The calls of a function, with what they pass for its parameter; None where that is not known."""
    known = list(parameters)
    for call in (node for node in nodes_below(tree) if isinstance(node, CallExpr)):
        if last_name(call.callee) == name and known:
            values = {parameter.passed_by(call) for parameter in known}
            yield call, values.pop() if len(values) == 1 else None


def given_hashed(tree: MypyFile, given: Iterable[tuple[CallExpr, Expression | None]]) -> set[Expression]:
    """Where a function is called with what surely is a number, a text or a tuple, whatever mypy knows of it."""
    passed = PassedIn(tree)
    return {call.callee for call, value in given if value is not None and passed.is_hashed(value, call)}


def is_own_attribute(value: Expression | None) -> bool:
    """Whether a value is what an object has: its declaration is as much worth as that of the parameter."""
    return isinstance(value, MemberExpr) and isinstance(value.expr, NameExpr) and value.expr.name in OWNERS


@dataclass(frozen=True, eq=False)
class PassedIn:
    """What the calls of one module pass."""

    tree: MypyFile

    def is_hashed(self, value: Expression, call: CallExpr) -> bool:
        """Whether a value is surely a number, a text or a tuple, which is taken to hold nothing else."""
        if isinstance(value, NameExpr):
            return value.name in ("False", "True") or self._bound_before(value.name, call) is True
        return _makes_hashed(value)

    def _bound_before(self, name: str, call: CallExpr) -> bool | None:
        """Whether what is bound to a name before a call in its function is such a value; None if nothing is bound."""
        around = nodes_around(call, self._parents)
        for child, parent in pairwise(around):
            if isinstance(parent, FuncItem):
                return None
            if isinstance(parent, Block) and isinstance(child, Statement):
                found = self._bound_in(parent.body[: parent.body.index(child)], name)
                if found is not None:
                    return found
            elif isinstance(parent, (ForStmt, WhileStmt)) and _binds(parent, name):
                return False  # later passes may see another value
        return None

    def _bound_in(self, statements: Sequence[Statement], name: str) -> bool | None:
        for statement in reversed(statements):
            if _binds(statement, name) and (found := self._bound_by(statement, name)) is not None:
                return found
        return None

    def _bound_by(self, statement: Statement, name: str) -> bool | None:
        if isinstance(statement, AssignmentStmt):
            is_name = any(isinstance(target, NameExpr) and target.name == name for target in statement.lvalues)
            return is_name and _makes_hashed(statement.rvalue)
        if not isinstance(statement, IfStmt):
            return False
        branches = [*statement.body, *([statement.else_body] if statement.else_body is not None else [])]
        found = [self._bound_in(branch.body, name) for branch in branches]
        if False in found:
            return False
        is_whole = statement.else_body is not None or _asks_for_tuple(statement.expr[-1], name)
        return True if is_whole and None not in found else None  # else what was bound before counts, too

    @cached_property
    def _parents(self) -> Mapping[Node, Node]:
        return parents_below(self.tree)


def _makes_hashed(value: Expression) -> bool:
    if isinstance(value, ConditionalExpr):
        return _makes_hashed(value.if_expr) and _makes_hashed(value.else_expr)
    if isinstance(value, UnaryExpr):
        return isinstance(value.expr, _CONSTANTS)
    if isinstance(value, TupleExpr):
        return all(map(_makes_hashed, value.items))
    if isinstance(value, CallExpr):
        return isinstance(value.callee, NameExpr) and value.callee.name in _HASHED
    return isinstance(value, _CONSTANTS)


def _asks_for_tuple(condition: Expression, name: str) -> bool:
    """`not isinstance(times, tuple)`: past a branch that makes one, it is a tuple in any case."""
    call = condition.expr if isinstance(condition, UnaryExpr) and condition.op == "not" else None
    if not isinstance(call, CallExpr) or last_name(call.callee) != _TESTING or len(call.args) != 2:
        return False
    tested, kind = call.args
    return isinstance(tested, NameExpr) and tested.name == name and last_name(kind) in _TUPLES


def _binds(statement: Node, name: str) -> bool:
    targets = (target for node in nodes_below(statement) for target in targets_of(node))
    return any(isinstance(target, NameExpr) and target.name == name for target in targets)
