"""The structure of what control flow passes to a function, where its call writes it out: `lax.scan(f, (a, b), xs)`."""

from collections.abc import Mapping

from mypy.nodes import CallExpr, Expression, FuncItem, ListExpr, StarExpr, TupleExpr

from ...knowledge.operands import operands_of
from ...reach.traced_calls import TracedCall
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.parameters import parameters
from ...syntax.arguments import argument, unpacks
from ...syntax.literals import is_none
from .values import Items, Traced, Value


def with_structure(
    passed: Mapping[str, Value], function: FuncItem, traced: TracedCall, call: CallExpr, file: CheckedFile
) -> dict[str, Value]:
    """What is passed: a tuple of tracers where nothing but the call says that a parameter is a tuple."""
    found, operands = dict(passed), operands_of(traced.transformation)
    for parameter in parameters(function) if operands and not unpacks(call) else ():
        value = passed.get(parameter.name)
        given = argument(call, *operands[parameter.position]) if parameter.position in operands else None
        if given is not None and isinstance(value, Traced) and value.source.may_be_tree:
            found[parameter.name] = _shaped(value, given, file)
    return found


def _shaped(value: Traced, given: Expression, file: CheckedFile) -> Value:
    made = made_by(given, file)
    if is_none(made):
        return None
    if not isinstance(made, TupleExpr | ListExpr) or any(isinstance(item, StarExpr) for item in made.items):
        return value
    return Items(tuple(_shaped(value, item, file) for item in made.items))
