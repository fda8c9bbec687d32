"""The parameters of a function or lambda, with their declared types."""

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import CallExpr, FuncDef, FuncItem, LambdaExpr, Var
from mypy.types import AnyType, CallableType, Type, TypeOfAny, get_proper_type
from mypy.typevars import fill_typevars

from ..knowledge import naming
from ..syntax.arguments import unpacks


class Parameter(NamedTuple):
    """One parameter of a function or lambda."""

    position: int
    name: str
    variable: Var
    type: Type  # as declared
    has_default: bool
    is_star: bool
    is_star2: bool


def parameters(function: FuncItem) -> Iterator[Parameter]:
    """The parameters in order; without annotations, `self` has the type of its class."""
    signature = get_proper_type(function.type)
    types = signature.arg_types if isinstance(signature, CallableType) and isinstance(function, FuncDef) else []
    for index, argument in enumerate(function.arguments):
        declared: Type = types[index] if index < len(types) else AnyType(TypeOfAny.unannotated)
        if index == 0 and not types and function.info and not function.is_static:
            declared = fill_typevars(function.info)
        kind = argument.kind
        yield Parameter(
            index,
            argument.variable.name,
            argument.variable,
            declared,
            argument.initializer is not None,
            kind.is_star() and not kind.is_named(star=True),
            kind.is_star() and kind.is_named(star=True),
        )


def takes(method: FuncItem, call: CallExpr) -> bool:
    """Whether a call of a method on an object may pass these arguments, by their number and names."""
    found = list(parameters(method))[0 if method.is_static else 1 :]
    if unpacks(call) or any(parameter.is_star2 for parameter in found):
        return True
    names = {name for name in call.arg_names if name is not None}
    by_position = len(call.args) - len(names)
    kinds = [argument.kind for argument in method.arguments[len(method.arguments) - len(found) :]]
    room = sum(kind.is_positional() for kind in kinds)
    needed = {one.name for one in found[by_position:] if not (one.has_default or one.is_star)}
    is_room = by_position <= room or any(parameter.is_star for parameter in found)
    return is_room and needed <= names <= {parameter.name for parameter in found}


def described(function: FuncItem) -> str:
    """How messages name a function."""
    if isinstance(function, LambdaExpr):
        return "a lambda"
    is_special = bool(function.info) and naming.is_special(function.name)
    return f'"{function.info.name}.{function.name}"' if is_special else f'"{function.name}"'
