"""Finds the static arguments of a call, by parameter."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from jaxtyped_static._annotations.functions import signature_of
from jaxtyped_static._calls.watching import Call

_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


# Arguments by position and by name → those that are static.
Reader: TypeAlias = Callable[[tuple[Any, ...], dict[str, Any]], list[Any]]


class StaticArgument(NamedTuple):
    """One static argument: the parameter's name, its value in this call, and whether that is the default."""

    parameter: str
    value: Any
    is_default: bool = False


def parameters_of(call: Call) -> tuple[inspect.Parameter, ...]:
    """Returns the parameters of the called function; call this once per function."""
    signature = signature_of(call.fun)
    return () if signature is None else tuple(signature.parameters.values())


def static_positions(numbers: Iterable[int], count: int) -> set[int]:
    """Returns the static positions in a call with this many arguments; negative ones count from the last one passed."""
    return {number % count if number < 0 < count else number for number in numbers}


def static_arguments(call: Call, parameters: tuple[inspect.Parameter, ...]) -> Iterator[StaticArgument]:
    """Returns the values of static parameters: those passed, and the defaults of those left out."""
    numbers = static_positions(call.static_argnums, len(call.args))
    for number, value in enumerate(call.args):
        if number in numbers:
            yield StaticArgument(_name(number, parameters), value)
    for name in call.static_argnames:
        if name in call.kwargs:
            yield StaticArgument(name, call.kwargs[name])
    for number, parameter in enumerate(parameters):
        is_given = parameter.name in call.kwargs or (parameter.kind in _BY_POSITION and number < len(call.args))
        is_static = parameter.name in call.static_argnames or number in numbers
        if is_static and not is_given and parameter.default is not inspect.Parameter.empty:
            yield StaticArgument(parameter.name, parameter.default, is_default=True)


def reader_of(call: Call, parameters: tuple[inspect.Parameter, ...]) -> Reader:
    """Returns a reader of static arguments for calls of the same form: as many arguments, and the same names."""
    positions = sorted(static_positions(call.static_argnums, len(call.args)) & set(range(len(call.args))))
    names = [name for name in call.static_argnames if name in call.kwargs]
    defaults = [argument.value for argument in static_arguments(call, parameters) if argument.is_default]

    def read(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        values = [args[at] for at in positions]
        if names:
            values += [kwargs[name] for name in names]
        return values + defaults if defaults else values

    return read


def _name(number: int, parameters: tuple[inspect.Parameter, ...]) -> str:
    """Returns the parameter at a position; the rest goes to `*args`."""
    for index, parameter in enumerate(parameters):
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            return f"{parameter.name}[{number - index}]"
        if index == number:
            return parameter.name
    return f"{number}"
