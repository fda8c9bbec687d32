"""Lambdas that one assignment names: `double = lambda x: 2 * x`. Code uses them by that name, as it does functions."""

from collections import Counter
from collections.abc import Mapping

from mypy.nodes import GDEF, LDEF, AssignmentStmt, Expression, LambdaExpr, NameExpr, SymbolNode, Var

from .bindings import BINDING_VARIABLES, bound_by
from .checked_file import CheckedFile, once_per_file


def lambda_named(node: Expression, file: CheckedFile) -> LambdaExpr | None:
    """The lambda that a name always stands for, where it is used; None for the target that is assigned."""
    assigned = _lambdas(file).get(node.node) if isinstance(node, NameExpr) else None
    if assigned is None or assigned.lvalues[0] is node:
        return None
    return assigned.rvalue if isinstance(assigned.rvalue, LambdaExpr) else None


def name_of_lambda(function: LambdaExpr, file: CheckedFile) -> NameExpr | None:
    """The name that is assigned a lambda, and nothing else in the file."""
    found = (stmt.lvalues[0] for stmt in _lambdas(file).values() if stmt.rvalue is function)
    name = next(found, None)
    return name if isinstance(name, NameExpr) else None


def uses_of_lambda(function: LambdaExpr, file: CheckedFile) -> list[Expression]:
    """Where a file uses a lambda: by its name, or else where it is written."""
    if (target := name_of_lambda(function, file)) is None:
        return [function]
    return [*file.other_uses(target)]


@once_per_file
def _lambdas(file: CheckedFile) -> Mapping[SymbolNode | None, AssignmentStmt]:
    """The assignments of lambdas to names, by variable; those left out that anything else binds, too."""
    assigning = (node for node in file.by_kind.of(AssignmentStmt) if isinstance(node.rvalue, LambdaExpr))
    assigned = {variable: node for node in assigning if (variable := _variable(node)) is not None}
    if not assigned:
        return {}
    binding = (node for node in file.nodes if type(node) in BINDING_VARIABLES)
    counts = Counter(variable for node in binding for variable, _ in bound_by(node) if variable in assigned)
    return {variable: node for variable, node in assigned.items() if counts[variable] == 1}


def _variable(assignment: AssignmentStmt) -> Var | None:
    """The variable that an assignment binds, of the module or of a function; None for an attribute, or for several."""
    target = assignment.lvalues[0]
    if len(assignment.lvalues) > 1 or not isinstance(target, NameExpr) or target.kind not in (GDEF, LDEF):
        return None
    return target.node if isinstance(target.node, Var) else None
