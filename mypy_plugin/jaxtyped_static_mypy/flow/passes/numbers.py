"""Which values are numbers where mypy knows no types: parameters by their defaults, and by what the calls pass."""

from collections.abc import Iterator
from types import NoneType
from typing import Final

from mypy.nodes import (
    Argument,
    CallExpr,
    Expression,
    FloatExpr,
    FuncDef,
    IntExpr,
    NameExpr,
    OpExpr,
    UnaryExpr,
    Var,
)
from mypy.types import Instance

from ...knowledge.function_rows import Conversion
from ...knowledge.type_rows import Trait
from ...libraries import known_function, types_with
from ...source.bindings import ANY_KEY, UPDATED, Binding, bindings_of, made_by
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.names import callee_name
from ..declared_types import TypeOf
from ..traced.given import passed_for
from .loops import counted_passes
from .returned import returned_by

_NUMBERS: Final = types_with(Trait.NUMBER)
_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "**"})
_WHOLE: Final = ((), (ANY_KEY, UPDATED))  # by `lr = 0.1` and `lr *= 0.9`
CLAMPING: Final = frozenset({"builtins.max", "builtins.min"})  # `max(0.1, rate * 0.9)` changes until it gets there
_MAX_DEPTH: Final = 6


def is_number(node: Expression, file: CheckedFile, type_of: TypeOf, depth: int = _MAX_DEPTH) -> bool:
    """Whether an expression is a number of Python for sure."""
    if isinstance(node, (IntExpr, FloatExpr)):
        return True
    if depth == 0:
        return False
    if isinstance(node, UnaryExpr):
        return is_number(node.expr, file, type_of, depth - 1)
    if isinstance(node, OpExpr):
        parts = (node.left, node.right)
        return node.op in _ARITHMETIC and all(is_number(part, file, type_of, depth - 1) for part in parts)
    if isinstance(node, CallExpr):
        is_float = (
            callee_name(node) == "builtins.float" or known_function(callee_name(node)).converts is Conversion.FLOAT
        )
        if callee_name(node) in CLAMPING:
            return bool(node.args) and all(is_number(part, file, type_of, depth - 1) for part in node.args)
        returned = returned_by(node, file)
        is_returned = returned is not None and is_number(returned[0], file, type_of, depth - 1)
        return is_float or is_returned or is_typed(node, type_of)
    return isinstance(node, NameExpr) and (
        is_typed(node, type_of) or _is_number_by_name(node, file, type_of, depth - 1)
    )


def is_typed(node: Expression, type_of: TypeOf) -> bool:
    typ = type_of(node)
    return isinstance(typ, Instance) and typ.type.fullname in _NUMBERS


def _is_number_by_name(node: NameExpr, file: CheckedFile, type_of: TypeOf, depth: int) -> bool:
    """Whether it counts a loop, or is a number by default that everything else leaves one."""
    variable, place = node.node, surroundings(node, file)
    if not isinstance(variable, Var):
        return False
    if any(counted_passes(loop, variable, file) is not None for loop in place.repeating):
        return True
    if (made := made_by(node, file)) is not node:
        return is_number(made, file, type_of, depth)
    argument = parameter_of(node, file)
    if (
        argument is None
        or place.function is None
        or not isinstance(argument.initializer, (IntExpr, FloatExpr, NoneType))
    ):
        return False
    passed = [value for value in passed_for(file, place.function, variable.name) if value is not None]
    again = list(_bound_again(variable, file))
    values = [*passed, *(binding.value for binding in again if binding.path in _WHOLE)]
    is_shown = len(values) == len(passed) + len(again) and (bool(passed) or argument.initializer is not None)
    return is_shown and all(value is not None and _is_apart(value, variable, file, type_of, depth) for value in values)


def _is_apart(value: Expression, variable: Var, file: CheckedFile, type_of: TypeOf, depth: int) -> bool:
    """Whether a value is a number if a variable that it may be computed from is."""
    if isinstance(value, OpExpr) and value.op in _ARITHMETIC:
        return all(_is_apart(part, variable, file, type_of, depth) for part in (value.left, value.right))
    is_same = isinstance(value, NameExpr) and value.node is variable
    return is_same or is_number(value, file, type_of, depth)


def is_float_by_default(node: Expression, file: CheckedFile) -> bool:
    """Whether this is a parameter without annotation, and with a float for its default."""
    argument = parameter_of(node, file) if isinstance(node, NameExpr) else None
    return argument is not None and isinstance(argument.initializer, FloatExpr)


def parameter_of(node: NameExpr, file: CheckedFile) -> Argument | None:
    """The parameter of the function around that a name means, if it has no annotation."""
    function = surroundings(node, file).function
    arguments = function.arguments if isinstance(function, FuncDef) else ()
    return next((one for one in arguments if one.variable is node.node and one.type_annotation is None), None)


def _bound_again(variable: Var, file: CheckedFile) -> Iterator[Binding]:
    return (binding for binding in bindings_of(variable, file) if not binding.is_parameter)
