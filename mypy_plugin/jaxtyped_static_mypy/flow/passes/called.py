"""Values that change with each call: computed from a parameter for which a loop passes another value on each pass."""

from collections.abc import Mapping

from mypy.nodes import Argument, Expression, FuncDef, SymbolNode

from ...knowledge import naming
from ...source.bindings import bindings_of
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ..declared_types import TypeOf
from ..traced.given import passed_for
from .changing import changing_value, changing_with
from .kinds import Changing


def changing_by_calls(
    argument: Expression, file: CheckedFile, type_of: TypeOf, *, is_fraction: bool = False
) -> Changing | None:
    """How an argument changes with each call of the function around it, which a loop of the file calls."""
    function = surroundings(argument, file).function
    if not isinstance(function, FuncDef):
        return None
    given = _given_by_loops(function, file, type_of)
    found = changing_with(argument, file, type_of, given, is_fraction=is_fraction) if given else None
    return found if found is not None and (found.is_costly or naming.counts_parts_of_run(found.counter)) else None


def _given_by_loops(function: FuncDef, file: CheckedFile, type_of: TypeOf) -> Mapping[SymbolNode, Changing]:
    """The parameters that change with each pass of a loop around a call, and that the function leaves as they are."""
    found = ((one.variable, _passed_by_loop(one, function, file, type_of)) for one in function.arguments)
    return {variable: value._replace(counter=variable.name) for variable, value in found if value is not None}


def _passed_by_loop(argument: Argument, function: FuncDef, file: CheckedFile, type_of: TypeOf) -> Changing | None:
    variable = argument.variable
    passed = [value for value in passed_for(file, function, variable.name) if value is not None]
    if not passed or any(not binding.is_parameter for binding in bindings_of(variable, file)):
        return None
    changing = (changing_value(value, file, type_of, counts_unknown=True) for value in passed)
    return next((value for value in changing if value is not None), None)
