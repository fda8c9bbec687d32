"""Parts of statements and calls that the steps of a program are made of."""

from collections.abc import Iterator, Sequence

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    Expression,
    IfStmt,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    ReturnStmt,
    StrExpr,
)

from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.syntax.decorators import applying
from jaxtyped_static_mypy.syntax.names import dotted_name, is_named, last_name
from jaxtyped_static_mypy.syntax.trees import last_statement, nodes_below, parts_of

from .steps import Assigned


def leaves(node: IfStmt) -> bool:
    """Whether an `if` without `else` returns."""
    end = last_statement(node.body[0])
    return node.else_body is None and len(node.body) == 1 and isinstance(end, ReturnStmt)


def gives_back(node: IfStmt) -> bool:
    """Whether it returns something else than an attribute."""
    end = last_statement(node.body[0])
    value = end.expr if isinstance(end, ReturnStmt) else None
    return len(node.body[0].body) > 1 or not (value is None or isinstance(value, MemberExpr | NameExpr))


def decorating(node: Expression) -> Iterator[str]:
    """The names that a decorator applies, as written."""
    yield from (name for item in applying(node) if (name := dotted_name(item)) is not None)


def values_first(node: Node) -> Sequence[Node]:
    """The parts of a node, its targets last."""
    if isinstance(node, AssignmentStmt):
        return [node.rvalue, *node.lvalues]
    return [node.value, node.target] if isinstance(node, AssignmentExpr) else parts_of(node)


def passed_by(node: CallExpr) -> Iterator[tuple[str, MemberExpr | NameExpr]]:
    """The names and attributes that a call passes, by the positions or names of parameters."""
    for index, (name, value) in enumerate(zip(node.arg_names, node.args, strict=True)):
        if isinstance(value, MemberExpr | NameExpr):
            yield name if name is not None else str(index), value


def assigned_by(node: AssignmentStmt) -> Iterator[Assigned]:
    """What names get that are assigned as a whole."""
    value = node.rvalue
    later = {part for part in nodes_below(value) if isinstance(part, LambdaExpr)}
    calls = () if later else (call for call in nodes_below(value) if isinstance(call, CallExpr))
    callees = {call.callee for call in calls}
    names = frozenset(last_name(part) for part in nodes_below(value) if isinstance(part, RefExpr))
    given = frozenset(
        last_name(part) for part in nodes_below(value) if isinstance(part, RefExpr) and part not in callees
    )
    called = last_name(value.callee) if isinstance(value, CallExpr) else ""
    for target in node.lvalues:
        if isinstance(target, RefExpr):
            yield Assigned(last_name(target), names if is_compiled(value) else frozenset(), given, called)


def is_compiled(value: Expression) -> bool:
    """Whether a value is what `jax.jit(...)` or `partial(jax.jit, ...)(...)` returns."""
    if not isinstance(value, CallExpr):
        return False
    callee = value.callee
    called = [callee, *(callee.args if isinstance(callee, CallExpr) else ())]
    called += [callee.callee] if isinstance(callee, CallExpr) else []
    return any(naming.compiles(dotted_name(node) or "") for node in called)


def looks_up(node: Node) -> bool:
    """Whether a node reads an attribute by a name that is made at run time."""
    if not isinstance(node, CallExpr) or not is_named(node.callee, "getattr") or len(node.args) < 2:
        return False
    return not isinstance(node.args[1], StrExpr)
