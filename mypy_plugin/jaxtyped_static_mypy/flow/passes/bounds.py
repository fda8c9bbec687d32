"""How often a loop runs whose bound is no number: by its default, what the calls in the file pass, or its name."""

from mypy.nodes import Argument, Expression, FuncDef, IndexExpr, IntExpr, MemberExpr, NameExpr, OpExpr, StrExpr

from ...knowledge.naming import FEW_PASSES, numbers_parts_of_run
from ...source.bindings import bindings_of
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ..traced.given import passed_for


def largest_passed(node: Expression, file: CheckedFile) -> int | None:
    """The largest whole number that a parameter gets, if its default and all calls in the file write theirs out."""
    function, argument = surroundings(node, file).function, _parameter(node, file)
    if not isinstance(node, NameExpr) or not isinstance(function, FuncDef) or argument is None:
        return None
    if len(bindings_of(argument.variable, file)) > 1:
        return None
    passed = passed_for(file, function, node.name)
    values = [argument.initializer if value is None else value for value in passed or [None]]
    numbers = [value.value for value in values if isinstance(value, IntExpr)]
    return max(numbers) if len(numbers) == len(values) else None


def is_named_many(bound: Expression, file: CheckedFile) -> bool:
    """Whether a bound is that of the steps of a run, by its name, and nothing shows that they are few."""
    if isinstance(bound, OpExpr):
        return is_named_many(bound.left, file) or is_named_many(bound.right, file)
    if not numbers_parts_of_run(_name_of(bound)) or largest_passed(bound, file) is not None:
        return False
    argument = _parameter(bound, file)
    default = argument.initializer if argument is not None else None
    return not isinstance(default, IntExpr) or default.value > FEW_PASSES


def _name_of(node: Expression) -> str:
    if isinstance(node, IndexExpr) and isinstance(node.index, StrExpr):
        return node.index.value  # of `config["num_steps"]`
    return node.name if isinstance(node, (NameExpr, MemberExpr)) else ""


def _parameter(node: Expression, file: CheckedFile) -> Argument | None:
    """The parameter of the function around it that a name means."""
    function = surroundings(node, file).function
    arguments = function.arguments if isinstance(function, FuncDef) and isinstance(node, NameExpr) else ()
    return next((one for one in arguments if isinstance(node, NameExpr) and one.variable is node.node), None)
