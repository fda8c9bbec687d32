"""What cannot be traced in what a function without types returns: `return mesh, NamedSharding(mesh, P())`."""

from typing import Final

from mypy.nodes import CallExpr, DictExpr, Expression, FuncDef, ListExpr, RefExpr, ReturnStmt, TupleExpr

from ..compat.dependencies import record_dependency
from ..flow.made import type_made
from ..judgement.traceability import Obstacle
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile
from ..syntax.trees import last_statement, statements
from ._static_or_traced import survey_in

_MAX_DEPTH: Final = 4  # of functions and displays in each other


def obstacle_returned(made: Expression, file: CheckedFile) -> Obstacle | None:
    """Of a call of a function of the file: what no value that it returns lacks, as its source makes these."""
    return _of_call(made, file, _MAX_DEPTH) if isinstance(made, CallExpr) else None


def _of_call(call: CallExpr, file: CheckedFile, depth: int) -> Obstacle | None:
    found = [_of_value(value, file, depth - 1) for value in _returned(call, file)] if depth else []
    return found[0] if None not in found and found else None


def _returned(call: CallExpr, file: CheckedFile) -> list[Expression]:
    """The values that a plain function returns; none if it may also end without one."""
    function = call.callee.node if isinstance(call.callee, RefExpr) else None
    if not isinstance(function, FuncDef) or function.info or not file.defines(function):
        return []
    if not isinstance(last_statement(function.body), ReturnStmt) or function.is_generator or function.is_coroutine:
        return []
    body = statements(function.body.body, into_definitions=False)
    values = [node.expr for node in body if isinstance(node, ReturnStmt)]
    return [value for value in values if value is not None] if None not in values else []


def _of_value(value: Expression, file: CheckedFile, depth: int) -> Obstacle | None:
    made = made_by(value, file)
    if isinstance(made, TupleExpr) or (made is value and isinstance(made, (DictExpr, ListExpr))):
        items = [item for _, item in made.items] if isinstance(made, DictExpr) else made.items
        found = (_of_value(item, file, depth - 1) for item in items if depth)
        return next((obstacle for obstacle in found if obstacle is not None), None)
    typ = type_made(made, file.api) if isinstance(made, CallExpr) else None
    if typ is None:
        return _of_call(made, file, depth) if isinstance(made, CallExpr) else None
    survey = survey_in(file)
    obstacle = survey.obstacle(typ)
    record_dependency(file.api, survey.consulted)
    return obstacle
