"""How a call is written, and how it should be: JAX does not normalise calls before it looks for a program."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from jaxtyped_static._annotations.functions import signature_of
from jaxtyped_static._traces.argument_trees import ArgumentTree
from jaxtyped_static._traces.snapshots import Snapshot
from jaxtyped_static._traces.value_text import in_brief


class How(Enum):
    """How a parameter got its value."""

    POSITION = "by position"
    NAME = "by name"
    DEFAULT = "left at its default"


class Argument(NamedTuple):
    """One argument of a call, as JAX sees it.

    Attributes:
        how: how it was passed.
        is_static: whether its value, rather than only its type, is part of the key.
        value: its value.
    """

    how: How
    is_static: bool
    value: Snapshot | ArgumentTree


Arguments: TypeAlias = Mapping[str, Argument]


def form_of(name: str, arguments: Arguments) -> str:
    """Returns how a call could be written."""
    parts = (
        f"{'' if argument.how is How.POSITION else f'{parameter}='}{_shown(parameter, argument)}"
        for parameter, argument in arguments.items()
        if argument.how is not How.DEFAULT
    )
    return f"{name}({', '.join(parts)})"


def _shown(name: str, argument: Argument) -> str:
    if isinstance(argument.value, Snapshot):
        return in_brief(argument.value.value)
    return name if argument.how is How.POSITION else "..."


def one_form(fun: Any, name: str, arguments: Arguments) -> str:
    """Returns one form for all calls: dynamic arguments by position, then static ones by name, none left out."""
    signature = signature_of(fun)
    kinds = {} if signature is None else {parameter.name: parameter.kind for parameter in signature.parameters.values()}
    given: list[str] = []
    positional = 0
    for parameter, argument in arguments.items():
        if argument.how is How.DEFAULT and not argument.is_static:
            continue  # Passing it would make another program.
        given.append(parameter)
        kind = kinds.get(parameter.partition("[")[0], inspect.Parameter.VAR_KEYWORD)
        if kind in _ONLY_BY_POSITION or (kind is inspect.Parameter.POSITIONAL_OR_KEYWORD and not argument.is_static):
            positional = len(given)
    written = {
        parameter: arguments[parameter]._replace(how=How.POSITION if index < positional else How.NAME)
        for index, parameter in enumerate(given)
    }
    return form_of(name, written)


_ONLY_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
