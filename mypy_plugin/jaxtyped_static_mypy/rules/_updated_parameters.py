"""jit-mutation: a function that updates an array for its caller, as one of NumPy's would be, and returns nothing."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import AssignmentStmt, CallExpr, FuncDef, IndexExpr, MemberExpr, NameExpr, Node, ReturnStmt, YieldExpr

from ..classes.array_holders import is_array
from ..flow.declared_types import class_in, says_nothing
from ..knowledge.members import SHAPE_ATTRIBUTES, UPDATING_METHODS
from ..reach.file_program import is_in_test
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.bindings import bindings_of
from ..source.checked_file import CheckedFile, once_per_file
from ..source.expected import is_error_expected
from ..source.parameters import Parameter, parameters
from ..source.surroundings import surroundings
from ..syntax.changes import updated_by_index
from ..syntax.literals import is_none
from ..syntax.names import last_name
from ..syntax.trees import nodes_below
from . import CODES

_UPDATED: Final = Message(
    '"{function}" returns nothing, and "{parameter}.at[...].{method}(...)" makes a new array, so the one of the caller '
    "does not change",
    'return "{parameter}", and use what the call returns',
    kind="updated-parameter",
)
_LENGTH: Final = "len"


class _Update(NamedTuple):
    """`x = x.at[i].set(y)` of a parameter."""

    statement: AssignmentStmt
    parameter: str
    method: str


def check_updated_parameters(file: CheckedFile) -> bool:
    """Reports all of a file, and says if there is any: no hook is called for some of them."""
    for function, update in _found(file):
        values = {"function": function.name, "parameter": update.parameter, "method": update.method}
        report(file, update.statement, _UPDATED.fill(**values), CODES["jit-mutation"])
    return bool(_found(file))


@once_per_file
def _found(file: CheckedFile) -> tuple[tuple[FuncDef, _Update], ...]:
    updating = any(updated_by_index(node) is not None for node in file.by_kind.of(IndexExpr))
    functions = file.functions if updating else ()
    return tuple((function, update) for function in functions for update in _updates(function, file))


def _updates(function: FuncDef, file: CheckedFile) -> Iterator[_Update]:
    """The first of each parameter that the function does nothing else with."""
    if not _returns_nothing(function) or is_in_test(function.line, file):
        return
    for parameter in parameters(function):
        updates = list(_updates_of(parameter, file))
        is_meant = bool(updates) and is_error_expected(updates[0].statement, file)
        if updates and not is_meant and _is_only_updated(parameter, updates, file):
            yield updates[0]


def _updates_of(parameter: Parameter, file: CheckedFile) -> Iterator[_Update]:
    declared = class_in(parameter.type)
    if not says_nothing(parameter.type, file.settings) and (declared is None or not is_array(declared)):
        return
    for name in file.uses_by_name.get(parameter.name, ()):
        statement = surroundings(name, file).parent if name.node is parameter.variable else None
        if isinstance(statement, AssignmentStmt) and statement.lvalues == [name]:
            call = statement.rvalue
            callee = call.callee if isinstance(call, CallExpr) else None
            updated = updated_by_index(callee.expr) if isinstance(callee, MemberExpr) else None
            is_own = isinstance(updated, NameExpr) and updated.node is parameter.variable
            if isinstance(callee, MemberExpr) and is_own and callee.name in UPDATING_METHODS:
                yield _Update(statement, parameter.name, callee.name)


def _returns_nothing(function: FuncDef) -> bool:
    if function.is_generator or function.is_coroutine:
        return False
    nodes = nodes_below(function.body)
    returns = (node.expr for node in nodes if isinstance(node, ReturnStmt))
    return not any(isinstance(node, YieldExpr) for node in nodes) and all(
        value is None or is_none(value) for value in returns
    )


def _is_only_updated(parameter: Parameter, updates: list[_Update], file: CheckedFile) -> bool:
    """Whether nothing else gets the new array: each use of the name is part of an update, or asks for its shape."""
    variable = parameter.variable
    if len(bindings_of(variable, file)) > len(updates) + 1:
        return False
    statements = {update.statement for update in updates}
    uses = [use for use in file.uses_by_name.get(parameter.name, ()) if use.node is variable]
    return all(statements.intersection(surroundings(use, file).around) or _only_asks(use, file) for use in uses)


def _only_asks(use: Node, file: CheckedFile) -> bool:
    parent = surroundings(use, file).parent
    if isinstance(parent, MemberExpr):
        return parent.name in SHAPE_ATTRIBUTES
    return isinstance(parent, CallExpr) and last_name(parent.callee) == _LENGTH
