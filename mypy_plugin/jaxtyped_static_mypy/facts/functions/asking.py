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
    if not isinstance(last, ReturnStmt) or last.expr is None or not function.arguments:
        return None
    reader = Reader(lambda call: _called(call, names), lambda node: node, lambda call: None)
    returning = (node for node in statements(body, into_definitions=False) if isinstance(node, ReturnStmt))
    earlier = [node.expr for node in returning if node is not last]
    return next(
        (
            not outcome
            for outcome in (False, True)
            if all(value is not None and literal(value) is (not outcome) for value in earlier)
            and _excludes(function, last.expr, outcome, reader)
        ),
        None,
    )


def _excludes(function: FuncDef, value: Expression, outcome: bool, reader: Reader) -> bool:
    """Whether a function gives this for no tracer, if what it returns early is the other. `value`: at its end."""
    if excludes_tracers(value, outcome, reader):
        return True
    tests = _tests_before(function.body) if literal(value) is outcome else ()
    return any(excludes_tracers(test, outcome, reader) for test in tests)


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
