"""What the calls in a file pass: JAX traces it. A default that a call leaves out stays an `int` under jit (0.10.2)."""

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import Final

from mypy.nodes import (
    LDEF,
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
    TypeInfo,
    UnaryExpr,
    Var,
)
from mypy.types import ProperType

from ...classes.array_holders import is_array_like
from ...knowledge.full_names import makes_host_array
from ...knowledge.members import CONCRETE_OPERATORS
from ...knowledge.type_rows import Trait
from ...libraries import types_with
from ...reach.lives import VALUE, life_of
from ...reach.uses import CERTAIN, POSSIBLE, uses_of
from ...source.bindings import Binding, made_by, mentions
from ...source.checked_file import CheckedFile, once_per_file
from ...source.expected import is_error_expected
from ...source.functions import functions_around
from ...source.local_bindings import reaching_bindings
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.imports import full_name
from ...syntax.literals import is_none
from ..declared_types import class_in, declared_type, return_types
from ..made import constructed
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
    return _most_said(_arguments_of_calls(file, function), file)


@once_per_file
def given_when_compiled(file: CheckedFile, function: FuncItem, by: CallExpr | None) -> Mapping[str, Given]:
    """The same of a function without a decorator, by the calls of what the file makes of it: `jax.jit(f)(x)`.

    `by`: only those of what this call makes of it, one that hands it over.
    """
    return _most_said(_arguments_of_results(file, function, by), file)


@once_per_file
def class_given(file: CheckedFile, function: FuncItem, parameter: str) -> TypeInfo | None:
    """The class of the objects that all calls in a file make for a parameter of a compiled function."""
    is_decorated = isinstance(function, FuncDef) and function in file.decorators
    calls = _arguments_of_calls(file, function) if is_decorated else _arguments_of_results(file, function, None)
    given = [_beginnings(call[parameter], file) if parameter in call else [] for call in calls]
    found = {constructed(one) if isinstance(one, CallExpr) else None for values in given for one in values}
    return found.pop() if all(given) and len(found) == 1 else None


def _most_said(calls: Iterable[Mapping[str, Expression]], file: CheckedFile) -> dict[str, Given]:
    given: dict[str, Given] = {}
    for call in calls:
        for name, value in call.items():
            if not is_none(value):
                known = (given.get(name, Given.ANYTHING), _given(value, file))
                given[name] = max(known, key=lambda one: one.value)
    return given


def _given(node: Expression, file: CheckedFile) -> Given:
    if _is_declared_scalar(node, file):
        return Given.ANYTHING
    beginnings = _beginnings(node, file)
    if beginnings and all(is_array_given(value, file) for value in beginnings):
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


def _beginnings(node: Expression, file: CheckedFile) -> list[Expression]:
    """What a value is before code goes on with it, as a loop does that hands it back: `x = step(x)`."""
    made = made_by(node, file)
    variable = made.node if isinstance(made, NameExpr) else None
    if not isinstance(made, NameExpr) or not isinstance(variable, Var) or made.kind != LDEF:
        return [made]
    bindings = reaching_bindings(file, made, variable)
    if not bindings or any(found.binding.is_parameter for found in bindings):
        return [made]
    values = [found.binding.whole for found in bindings if not _goes_on(found.binding, variable)]
    return [made_by(value, file) for value in values if value is not None] if None not in values else [made]


def _goes_on(binding: Binding, variable: Var) -> bool:
    return binding.value is not None and mentions(binding.value, {variable})


@once_per_file
def _arguments_of_results(file: CheckedFile, function: FuncItem, by: CallExpr | None) -> list[dict[str, Expression]]:
    """The arguments of the calls of what a transformation of the file makes of a function, by parameter."""
    names = [argument.variable.name for argument in function.arguments if not argument.kind.is_star()]
    handed = uses_of(file, function).handed_over if not function.info else ()
    whole = (call for call, traced in handed if call.args and call.args[0] is traced.function and by in (None, call))
    calls = (one for call in whole for one in life_of(file, call, VALUE).calls if isinstance(one, CallExpr))
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
