"""Reads the parameters of an `__init__` quickly: `inspect.signature` takes as long as making a whole dataclass."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from inspect import Parameter
from types import FunctionType
from typing import Any, Final, NamedTuple

_STARS: Final = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}


class InitParameter(NamedTuple):
    """A parameter, as in `inspect.Parameter`; `default` is `Parameter.empty` if there is none."""

    name: str
    kind: Any
    default: Any

    @property
    def is_required(self) -> bool:
        """Returns whether a call has to pass it; not meaningful for parameters with stars."""
        return self.default is Parameter.empty


def parameters_after_self(initialise: Callable[..., Any]) -> list[InitParameter]:
    """Returns the parameters of an `__init__` without `self`."""
    if type(initialise) is FunctionType and not initialise.__dict__.keys() & {"__wrapped__", "__signature__"}:
        return list(_of_code(initialise))[1:]
    parameters = inspect.signature(initialise).parameters.values()
    return [InitParameter(parameter.name, parameter.kind, parameter.default) for parameter in parameters][1:]


def _of_code(function: FunctionType) -> Iterator[InitParameter]:
    code, defaults = function.__code__, function.__defaults__ or ()
    by_position, by_name = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    first_default, stars = by_position - len(defaults), iter(code.co_varnames[by_name:])
    for index, name in enumerate(code.co_varnames[:by_position]):
        is_only = index < code.co_posonlyargcount
        kind = Parameter.POSITIONAL_ONLY if is_only else Parameter.POSITIONAL_OR_KEYWORD
        yield InitParameter(name, kind, defaults[index - first_default] if index >= first_default else Parameter.empty)
    if code.co_flags & inspect.CO_VARARGS:
        yield InitParameter(next(stars), Parameter.VAR_POSITIONAL, Parameter.empty)
    for name in code.co_varnames[by_position:by_name]:
        yield InitParameter(name, Parameter.KEYWORD_ONLY, (function.__kwdefaults__ or {}).get(name, Parameter.empty))
    if code.co_flags & inspect.CO_VARKEYWORDS:
        yield InitParameter(next(stars), Parameter.VAR_KEYWORD, Parameter.empty)


def parameter_list(parameters: Sequence[InitParameter]) -> str:
    """Returns them as source for a `def`, without defaults, to follow a positional parameter."""
    kinds = [parameter.kind for parameter in parameters]
    declared = [_STARS.get(parameter.kind, "") + parameter.name for parameter in parameters]
    if Parameter.KEYWORD_ONLY in kinds and Parameter.VAR_POSITIONAL not in kinds:
        declared.insert(kinds.index(Parameter.KEYWORD_ONLY), "*")
    declared.insert(kinds.count(Parameter.POSITIONAL_ONLY), "/")
    return ", ".join(declared)


def as_call_arguments(parameters: Sequence[InitParameter]) -> str:
    """Returns them as source for a call that passes all of them on."""
    return ", ".join(
        f"{parameter.name}={parameter.name}"
        if parameter.kind is Parameter.KEYWORD_ONLY
        else _STARS.get(parameter.kind, "") + parameter.name
        for parameter in parameters
    )
