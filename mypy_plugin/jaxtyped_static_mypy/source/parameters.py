"""The parameters of a function or lambda, with their declared types."""

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import FuncDef, FuncItem, LambdaExpr, Var
from mypy.types import AnyType, CallableType, Type, TypeOfAny, get_proper_type
from mypy.typevars import fill_typevars


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


def described(function: FuncItem) -> str:
    """How messages name a function."""
    return "a lambda" if isinstance(function, LambdaExpr) else f'"{function.name}"'
