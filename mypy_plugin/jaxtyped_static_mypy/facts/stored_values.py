"""Which values code stores, and of which parameters they are made: by the syntax alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    Statement,
)

from ..knowledge.jax_functions import computes_arrays
from ..knowledge.members import CONCRETE_ATTRIBUTES, CONCRETE_METHODS, CONCRETE_OPERATORS, SEQUENCE_METHODS
from ..syntax.assignments import assigned_pairs
from ..syntax.trees import parts_of, statements

Origins = frozenset[str]  # names of parameters, and `COMPUTED`
NameOf = Callable[[CallExpr], str]  # the full name of what a call calls

COMPUTED: Final = "()"  # stands for what JAX computes, whatever it is given
NOTHING: Final[Origins] = frozenset()
_CONCRETE: Final = frozenset(
    {"bool", "float", "hasattr", "id", "int", "isinstance", "len", "range", "repr", "str", "type"}
)


def stores(node: Statement) -> Sequence[tuple[Expression, list[Expression]]]:
    """What a statement sets, or changes in place, and the values."""
    if isinstance(node, AssignmentStmt):
        return [(target, [value if value is not None else node.rvalue]) for target, value in assigned_pairs(node)]
    if isinstance(node, OperatorAssignmentStmt):
        return ((node.lvalue, [node.rvalue]),)
    call = node.expr if isinstance(node, ExpressionStmt) else None
    callee = call.callee if isinstance(call, CallExpr) else None
    if isinstance(call, CallExpr) and isinstance(callee, MemberExpr) and callee.name in SEQUENCE_METHODS:
        return ((callee.expr, call.args),)
    return ()


def origins_of_names(parameters: Iterable[str], function: FuncDef, name_of: NameOf) -> dict[str, Origins]:
    """What the variables of a function are made of."""
    known = {name: frozenset({name}) for name in parameters}
    body = statements(function.body.body, into_definitions=False)
    stored = [one for node in body for one in stores(node)]
    for _ in range(2):  # loops lead back
        for target, values in stored:
            if isinstance(target, NameExpr):
                origins = (origins_of(value, known, name_of) for value in values)
                known[target.name] = known.get(target.name, NOTHING).union(*origins)
    return known


def origins_of(node: Node, known: Mapping[str, Origins], name_of: NameOf) -> Origins:
    """What a value is made of: not where it is a number that shapes tell."""
    if isinstance(node, NameExpr):
        return known.get(node.name, NOTHING)
    if isinstance(node, LambdaExpr) or (isinstance(node, MemberExpr) and node.name in CONCRETE_ATTRIBUTES):
        return NOTHING
    if isinstance(node, ComparisonExpr) and not CONCRETE_OPERATORS.isdisjoint(node.operators):
        return NOTHING
    if isinstance(node, CallExpr):
        return _of_call(node, known, name_of)
    parts: Iterable[Node] = parts_of(node)
    if isinstance(node, ConditionalExpr):
        parts = (node.if_expr, node.else_expr)
    elif isinstance(node, IndexExpr):
        parts = (node.base,)
    return NOTHING.union(*(origins_of(part, known, name_of) for part in parts))


def _of_call(call: CallExpr, known: Mapping[str, Origins], name_of: NameOf) -> Origins:
    name, callee = name_of(call), call.callee
    if name in _CONCRETE or (isinstance(callee, MemberExpr) and callee.name in CONCRETE_METHODS):
        return NOTHING
    of_object = origins_of(callee.expr, known, name_of) if isinstance(callee, MemberExpr) else NOTHING
    given = of_object.union(*(origins_of(argument, known, name_of) for argument in call.args))
    return given | {COMPUTED} if computes_arrays(name) else given
