"""What a function of the file returns that does nothing else: `def schedule(i): return 0.1 * 0.9**i`."""

from collections.abc import Mapping

from mypy.nodes import CallExpr, Expression, FuncDef, NameExpr, ReturnStmt, Var

from ...source.checked_file import CheckedFile
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.trees import statements


def returned_by(call: CallExpr, file: CheckedFile) -> tuple[Expression, Mapping[Var, Expression]] | None:
    """What a function of the file returns that does nothing else, and what a call passes for its parameters."""
    function = call.callee.node if isinstance(call.callee, NameExpr) else None
    if not isinstance(function, FuncDef) or not file.defines(function) or unpacks(call):
        return None
    returned = [node for node in statements(function.body.body) if isinstance(node, ReturnStmt)]
    value = returned[0].expr if len(returned) == 1 else None
    if value is None:
        return None
    variables = {one.variable.name: one.variable for one in function.arguments}
    passed = named_arguments(call, list(variables))
    return value, {variables[name]: given for name, given in passed.items() if name in variables}
