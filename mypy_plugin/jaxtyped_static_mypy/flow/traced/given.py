"""What the calls in a file pass: JAX traces it, and jit leaves a default that is left out as it is."""

from collections.abc import Iterator, Mapping
from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    FloatExpr,
    FuncDef,
    FuncItem,
    IntExpr,
    NameExpr,
    UnaryExpr,
)

from ...knowledge.members import CONCRETE_OPERATORS
from ...knowledge.type_rows import Trait
from ...libraries import types_with
from ...reach.uses import CERTAIN, POSSIBLE, uses_of
from ...source.checked_file import CheckedFile, once_per_file
from ...source.surroundings import is_error_expected
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.literals import is_none
from ..declared_types import class_in, declared_type

_NUMBERS: Final = types_with(Trait.NUMBER)


@once_per_file
def given_values(file: CheckedFile, function: FuncItem) -> Mapping[str, bool]:
    """The parameters for which a call in the file passes a value, and whether one passes a number."""
    if not isinstance(function, FuncDef):
        return {}
    names = [one.variable.name for one in function.arguments if not one.kind.is_star()]
    if function.info and not function.is_static:
        names = names[1:]
    given: dict[str, bool] = {}
    for call in _calls(function, file):
        for name, value in named_arguments(call, names).items():
            if not is_none(value):
                given[name] = given.get(name, False) or _is_number(value)
    return given


@once_per_file
def given_expressions(file: CheckedFile, function: FuncItem) -> Mapping[str, list[Expression]]:
    """What the calls in a file pass for each parameter; nothing for one that some call leaves out."""
    if not isinstance(function, FuncDef):
        return {}
    names = [one.variable.name for one in function.arguments if not one.kind.is_star()]
    if function.info and not function.is_static:
        names = names[1:]
    calls = [named_arguments(call, names) for call in _calls(function, file)]
    return {name: [call[name] for call in calls] for name in names if calls and all(name in call for call in calls)}


def _calls(function: FuncDef, file: CheckedFile) -> Iterator[CallExpr]:
    """The calls of a decorated function by its name, of a method those on `self`; of any other all that may be ones."""
    namings = CERTAIN if function in file.decorators else POSSIBLE
    for call in uses_of(file, function).calls(namings):
        if not unpacks(call) and not is_error_expected(call, file):
            yield call


def _is_number(node: Expression) -> bool:
    if isinstance(node, UnaryExpr):
        return node.op == "not" or _is_number(node.expr)
    if isinstance(node, ComparisonExpr):
        return node.operators[0] in CONCRETE_OPERATORS
    if (declared := class_in(declared_type(node))) is not None:
        return declared.fullname in _NUMBERS
    is_bool = isinstance(node, NameExpr) and node.fullname in ("builtins.True", "builtins.False")
    return is_bool or isinstance(node, (IntExpr, FloatExpr))
