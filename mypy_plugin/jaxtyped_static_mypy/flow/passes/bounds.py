"""How often a loop runs whose bound is a parameter: by its default and what the calls in the file pass."""

from mypy.nodes import Expression, FuncDef, IntExpr, NameExpr, Var

from ...source.bindings import bindings_of
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ..traced.given import passed_for


def largest_passed(node: Expression, file: CheckedFile) -> int | None:
    """The largest whole number that a parameter gets, if its default and all calls in the file write theirs out."""
    function = surroundings(node, file).function
    if not isinstance(node, NameExpr) or not isinstance(node.node, Var) or not isinstance(function, FuncDef):
        return None
    argument = next((one for one in function.arguments if one.variable is node.node), None)
    if argument is None or len(bindings_of(node.node, file)) > 1:
        return None
    passed = passed_for(file, function, node.name)
    values = [argument.initializer if value is None else value for value in passed or [None]]
    numbers = [value.value for value in values if isinstance(value, IntExpr)]
    return max(numbers) if len(numbers) == len(values) else None
