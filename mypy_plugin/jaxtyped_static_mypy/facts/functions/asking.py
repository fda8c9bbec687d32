"""Functions that tell tracers from concrete values: `return any(isinstance(leaf, Tracer) for leaf in leaves(x))`."""

from collections.abc import Iterator

from mypy.nodes import Block, CallExpr, Expression, ForStmt, FuncDef, IfStmt, ReturnStmt, Statement

from ...syntax.literals import literal
from ...syntax.names import dotted_name
from ...syntax.tracer_questions import Reader, excludes_tracers
from ...syntax.trees import statements
from .scope import ModuleNames


def asked_of_tracers(function: FuncDef, names: ModuleNames) -> bool | None:
    """Whether a function holds of tracers, as `isinstance(x, Tracer)` does; False if it holds of none; else None."""
    body = function.body.body
    last = body[-1] if body and not (function.is_generator or function.is_coroutine) else None
    value = last.expr if isinstance(last, ReturnStmt) else None
    if value is None or not function.arguments:
        return None
    return next((not outcome for outcome in (False, True) if _excludes(function, value, outcome, names)), None)


def _excludes(function: FuncDef, value: Expression, outcome: bool, names: ModuleNames) -> bool:
    """Whether a function gives this for no tracer. `value`: what it returns at its end."""
    reader = Reader(lambda call: _called(call, names), lambda node: node, lambda call: None)
    earlier = [node for node in statements(function.body.body, into_definitions=False) if isinstance(node, ReturnStmt)]
    earlier = [node for node in earlier if node.expr is not value]
    if any(node.expr is None or literal(node.expr) is not (not outcome) for node in earlier):
        return False
    if excludes_tracers(value, outcome, reader):
        return True
    asked = (test for test in _tests_before(function.body) if excludes_tracers(test, outcome, reader))
    return literal(value) is outcome and any(True for _ in asked)


def _tests_before(body: Block) -> Iterator[Expression]:
    """The conditions under which a function returns before its end, also for one of several values."""
    for statement in body.body:
        if isinstance(statement, ForStmt):
            yield from _tests_before(statement.body)
        elif isinstance(statement, IfStmt) and _only_returns(statement.body[0].body):
            yield statement.expr[0]


def _only_returns(body: list[Statement]) -> bool:
    return len(body) == 1 and isinstance(body[0], ReturnStmt)


def _called(call: CallExpr, names: ModuleNames) -> str:
    written = dotted_name(call.callee)
    return names.full_name(written) if written is not None else ""
