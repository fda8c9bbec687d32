"""What the calls in a file pass: JAX traces it. A default that a call leaves out stays an `int` under jit (0.10.2)."""

from collections.abc import Mapping
from enum import Enum, auto
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
    OpExpr,
    RefExpr,
    UnaryExpr,
)
from mypy.types import ProperType

from ...classes.array_holders import is_array_like
from ...knowledge.full_names import makes_host_array
from ...knowledge.members import CONCRETE_OPERATORS
from ...knowledge.type_rows import Trait
from ...libraries import types_with
from ...reach.uses import CERTAIN, POSSIBLE, uses_of
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile, once_per_file
from ...source.expected import is_error_expected
from ...source.functions import functions_around
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.imports import full_name
from ...syntax.literals import is_none
from ..declared_types import class_in, declared_type, return_types
from .unread import says_scalar

_NUMBERS: Final = types_with(Trait.NUMBER)


class Given(Enum):
    """What some call passes for a parameter."""

    ANYTHING = auto()
    NUMBER = auto()
    ARRAY = auto()


@once_per_file
def given_values(file: CheckedFile, function: FuncItem) -> Mapping[str, Given]:
    """The parameters for which a call in the file passes a value; of several calls, what says most."""
    given: dict[str, Given] = {}
    for call in _arguments_of_calls(file, function):
        for name, value in call.items():
            if not is_none(value):
                known = (given.get(name, Given.ANYTHING), _given(value, file))
                given[name] = max(known, key=lambda one: one.value)
    return given


def _given(node: Expression, file: CheckedFile) -> Given:
    if _is_declared_scalar(node, file):
        return Given.ANYTHING
    if is_array_given(node, file):
        return Given.ARRAY
    return Given.NUMBER if _is_number(node) else Given.ANYTHING


@once_per_file
def given_expressions(file: CheckedFile, function: FuncItem) -> Mapping[str, list[Expression]]:
    """What the calls in a file pass for each parameter; nothing for one that some call leaves out."""
    calls = _arguments_of_calls(file, function)
    shared = [name for name in calls[0] if all(name in call for call in calls)] if calls else []
    return {name: [call[name] for call in calls] for name in shared}


def passed_for(file: CheckedFile, function: FuncItem, parameter: str) -> list[Expression | None]:
    """What each call in a file passes for a parameter; None where it leaves it to the default."""
    return [call.get(parameter) for call in _arguments_of_calls(file, function)]


@once_per_file
def _arguments_of_calls(file: CheckedFile, function: FuncItem) -> list[dict[str, Expression]]:
    """The arguments of the calls in a file, by parameter.

    Those of a decorated function by its name, of a method on `self`; of any other, all calls that may be ones.
    """
    if not isinstance(function, FuncDef):
        return []
    names = [argument.variable.name for argument in function.arguments if not argument.kind.is_star()]
    if function.info and not function.is_static:
        names = names[1:]
    calls = uses_of(file, function).calls(CERTAIN if function in file.decorators else POSSIBLE)
    plain = (call for call in calls if not unpacks(call) and not is_error_expected(call, file))
    return [named_arguments(call, names) for call in plain]


def _is_declared_scalar(node: Expression, file: CheckedFile) -> bool:
    """Whether this is a parameter for which callers pass numbers, too, although it is declared as an array."""
    if not isinstance(node, NameExpr):
        return False
    around = (found.node for found in functions_around(node.line, file))
    arguments = (argument for function in around for argument in function.arguments)
    return any(argument.variable is node.node and says_scalar(argument.type_annotation) for argument in arguments)


def is_array_given(node: Expression, file: CheckedFile) -> bool:
    """Whether an argument is an array for sure: by what is declared, of a variable or of the function that makes it."""
    made = made_by(node, file)
    if isinstance(made, OpExpr):
        return is_array_given(made.left, file) or is_array_given(made.right, file)
    if isinstance(made, UnaryExpr):
        return made.op != "not" and is_array_given(made.expr, file)
    if isinstance(made, CallExpr) and isinstance(made.callee, RefExpr):
        if makes_host_array(full_name(made.callee, file.tree)):
            return True  # NumPy declares some of these as objects that are called
        returned = return_types(made.callee.node)
        return bool(returned) and all(_is_of_array(typ) for typ in returned)
    return _is_of_array(declared_type(made))


def _is_of_array(typ: ProperType | None) -> bool:
    info = class_in(typ)
    return info is not None and is_array_like(info)


def _is_number(node: Expression) -> bool:
    if isinstance(node, UnaryExpr):
        return node.op == "not" or _is_number(node.expr)
    if isinstance(node, ComparisonExpr):
        return node.operators[0] in CONCRETE_OPERATORS
    if (declared := class_in(declared_type(node))) is not None:
        return declared.fullname in _NUMBERS
    is_bool = isinstance(node, NameExpr) and node.fullname in ("builtins.True", "builtins.False")
    return is_bool or isinstance(node, (IntExpr, FloatExpr))
