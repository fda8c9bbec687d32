"""Whether a value has any effect: numbers that only feed variables which nothing reads have none."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    Expression,
    IndexExpr,
    LambdaExpr,
    NameExpr,
    OperatorAssignmentStmt,
    ReturnStmt,
    Statement,
    Var,
)

from ...source.nested_functions import Functions
from ...source.surroundings import surroundings
from ...syntax.names import below_items
from ...syntax.trees import assignment_targets
from .iterators import makes_text

_ENDS: Final = (Statement, LambdaExpr)  # what an expression stands in


def reaches_outcome(value: Expression, functions: Functions) -> bool:
    """Whether a function does more with a value than to compute local variables that nothing else reads."""
    seen, pending = set[Var](), [value]
    while pending:
        kept_in = _variables_filled(pending.pop(), functions)
        if kept_in is None:
            return True
        for variable in kept_in - seen:
            seen.add(variable)
            pending += _reads_of(variable, functions)
    return False


def reaches_result(value: Expression, functions: Functions) -> bool:
    """Whether a function returns what it computes from a value, by way of local variables too.

    What is tested, asserted, printed or stored may be there to watch the trace.
    """
    seen, pending = set[Var](), [value]
    while pending:
        node = pending.pop()
        around = surroundings(node, functions.file).around
        end = next((part for part in around[1:] if isinstance(part, _ENDS) or makes_text(part)), None)
        if isinstance(end, ReturnStmt | LambdaExpr):
            return True
        if isinstance(end, AssignmentStmt | OperatorAssignmentStmt):
            new = (_variables_filled(node, functions) or set()) - seen
            seen |= new
            pending += [read for variable in new for read in _reads_of(variable, functions)]
    return False


def _variables_filled(node: Expression, functions: Functions) -> set[Var] | None:
    """The local variables that the statement around a node fills with what it computes; None if it does more."""
    around = surroundings(node, functions.file).around
    statement = next((part for part in around if isinstance(part, AssignmentStmt | OperatorAssignmentStmt)), None)
    if statement is None:
        return None
    filled = [below_items(target) for target in _targets(statement)]
    local = {target.node for target in filled if isinstance(target, NameExpr) and isinstance(target.node, Var)}
    is_local = len(local) == len(filled) and all(_is_made_here(variable, functions) for variable in local)
    return local if is_local else None


def _targets(statement: AssignmentStmt | OperatorAssignmentStmt) -> list[Expression]:
    return [statement.lvalue] if isinstance(statement, OperatorAssignmentStmt) else list(assignment_targets(statement))


def _is_made_here(variable: Var, functions: Functions) -> bool:
    """Whether it is no parameter, whose items are the caller's, and no other name of what a parameter holds."""
    bound = functions.bindings.get(variable, [])
    return bool(bound) and not any(binding.is_parameter or isinstance(binding.value, NameExpr) for binding in bound)


def _reads_of(variable: Var, functions: Functions) -> Iterator[Expression]:
    for use in functions.file.uses_by_name.get(variable.name, ()):
        if use.node is variable and not _is_filled_by(use, functions):
            yield use


def _is_filled_by(use: Expression, functions: Functions) -> bool:
    """Whether a name stands where it, or an item of it, is assigned."""
    around = surroundings(use, functions.file).around
    target = use
    for part in around[1:]:
        if not isinstance(part, IndexExpr) or part.base is not target:
            break
        target = part
    statement = next((part for part in around if isinstance(part, AssignmentStmt | OperatorAssignmentStmt)), None)
    return statement is not None and target in _targets(statement)
