"""What the functions of the installed NumPy, and of `math`, do with a tracer for each of their parameters.

An argument raises if the call works with an array in its place, and fails with a tracer.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import Parameter
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxtyped_static_mypy.knowledge.numpy_functions import OPTIONS
from tests.plugin.numpy_arguments import ANY, COUNTS, GIVEN, LISTS, ONE, SEVERAL, SKIPPED, TWO, WHOLE, ZERO

AREAS: Final[Mapping[str, Any]] = {
    "": np,
    "linalg": np.linalg,
    "fft": np.fft,
    "random": np.random,
    "Generator": np.random.default_rng(0),
    "RandomState": np.random.RandomState(0),
    "testing": np.testing,
    "math": math,
}
UFUNC_METHODS: Final = ("accumulate", "at", "outer", "reduce", "reduceat")

RAISES: Final = "raises"
CONCRETE: Final = "concrete"  # what the call returns is no tracer
TRACED: Final = "traced"  # what it returns is a tracer, or holds one
UNKNOWN: Final = "unknown"  # no array works there

_MOST_TRIES: Final = 1500
# Of functions without a signature.
_PARAMETERS: Final = {
    "math.hypot": [Parameter("coordinates", Parameter.VAR_POSITIONAL)],
    "math.log": [Parameter("x", Parameter.POSITIONAL_ONLY)],
}
_INTEGERS: Final = (TWO, ZERO, ONE, WHOLE)


class Answer(NamedTuple):
    """What a function does with a tracer for one of its parameters."""

    position: int
    parameter: Parameter
    alone: str  # for a tracer as such
    listed: str  # for a list of tracers


class Called(NamedTuple):
    """A function, and arguments with which it works."""

    function: Callable[..., Any]
    parameters: Sequence[Parameter]
    given: Mapping[str, Any]

    def with_(self, name: str, value: Any) -> Any:
        """What a call returns with another value for one parameter."""
        given = copy.deepcopy({key: kept for key, kept in self.given.items() if key != name})
        return _call(self.function, self.parameters, {**given, name: value})


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions and number types of each area, by their names."""
    for area, module in AREAS.items():
        for short in dir(module):
            name, function = f"{area}.{short}" if area else short, getattr(module, short)
            is_class = isinstance(function, type) and (area or issubclass(function, BaseException))
            if short[0] != "_" and callable(function) and not is_class and name not in SKIPPED:
                yield name, function


def ufunc_methods() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods of a ufunc with two arguments, which are the same for all."""
    for method in UFUNC_METHODS:
        yield method, getattr(np.add, method)


def answers(name: str, function: Callable[..., Any]) -> list[Answer] | None:
    """What a function does, for each parameter that takes arrays; None if no call of it works."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        parameters = _parameters(name, function)
        called = _working(function, parameters, GIVEN.get(name, {}))
        if called is None:
            return None
        taken = ((i, p) for i, p in enumerate(parameters) if p.kind is not p.VAR_KEYWORD and p.name not in OPTIONS)
        return [Answer(i, p, *_answers(called, p)) for i, p in taken]


def has_counterpart(name: str) -> bool:
    """Whether `jax.numpy` has a function of this name that is not NumPy's own, and changes nothing in place."""
    found: Any = jnp
    own: Any = np
    for part in name.split("."):
        found, own = getattr(found, part, None), getattr(own, part, None)
    return callable(found) and found is not own and "inplace" not in inspect.signature(found).parameters


def _parameters(name: str, function: Callable[..., Any]) -> list[Parameter]:
    if isinstance(function, type) and issubclass(function, np.generic):
        return [Parameter("x", Parameter.POSITIONAL_ONLY)]
    return _PARAMETERS.get(name) or list(inspect.signature(function).parameters.values())


def _call(function: Callable[..., Any], parameters: Sequence[Parameter], given: Mapping[str, Any]) -> Any:
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for parameter in (parameter for parameter in parameters if parameter.name in given):
        value = given[parameter.name]
        if parameter.kind is Parameter.VAR_POSITIONAL:
            positional.extend(value)
        elif parameter.kind is Parameter.KEYWORD_ONLY or (parameter.default is not Parameter.empty):
            named[parameter.name] = value
        else:
            positional.append(value)
    if any(p.kind is Parameter.POSITIONAL_ONLY and p.name in named for p in parameters):
        positional += [named.pop(p.name) for p in parameters if p.kind is Parameter.POSITIONAL_ONLY and p.name in named]
    with contextlib.redirect_stdout(io.StringIO()):
        return function(*positional, **named)


def _working(function: Callable[..., Any], parameters: Sequence[Parameter], known: Mapping[str, Any]) -> Called | None:
    needed = [p for p in parameters if p.default is Parameter.empty and p.kind is not Parameter.VAR_KEYWORD]
    choices = [[known[p.name]] if p.name in known else _choices(p) for p in needed]
    for values in itertools.islice(itertools.product(*choices), _MOST_TRIES):
        given = {**known, **dict(zip((p.name for p in needed), values, strict=True))}
        if _attempt(lambda given=given: _call(function, parameters, copy.deepcopy(given))):  # type: ignore[misc]
            return Called(function, parameters, given)
    return None


def _choices(parameter: Parameter) -> Sequence[Any]:
    if parameter.kind is Parameter.VAR_POSITIONAL:
        return SEVERAL
    return (*_INTEGERS, *ANY) if parameter.name in COUNTS else ANY


def _attempt(call: Callable[[], Any]) -> bool:
    try:
        call()
    except Exception:  # whatever a library raises
        return False
    return True


def _answers(called: Called, parameter: Parameter) -> tuple[str, str]:
    name, given = parameter.name, called.given.get(parameter.name)
    if parameter.kind is Parameter.VAR_POSITIONAL:
        index = next((i for i, value in enumerate(given or ()) if _is_array(value)), None)
        if given is None or index is None:
            return UNKNOWN, UNKNOWN

        def put(value: Any) -> Any:
            return called.with_(name, [*given[:index], value, *given[index + 1 :]])

        tried = [given[index]]
    else:

        def put(value: Any) -> Any:
            return called.with_(name, value)

        tried = [given, *(_INTEGERS if name in COUNTS else ()), *ANY, *_INTEGERS]
    lists = [list(tried[0])] if isinstance(tried[0], np.ndarray) and tried[0].ndim else []
    alone = _measured(put, [[value] for value in tried if _is_array(value)], lambda values: values[0])
    return alone, _measured(put, [*lists, *LISTS], list)


def _is_array(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc"


def _measured(put: Callable[[Any], Any], tried: Sequence[Sequence[Any]], made: Callable[[Any], Any]) -> str:
    """What the call does with tracers, in place of the first arrays that work."""
    for values in tried:
        if _attempt(lambda values=values: put(made(copy.deepcopy(list(values))))):  # type: ignore[misc]
            return _traced(lambda tracers: put(made(tracers)), [np.asarray(value) for value in values])
    return UNKNOWN


def _traced(call: Callable[[Sequence[Any]], Any], values: Sequence[Any]) -> str:
    found: list[str] = []

    def run(*tracers: Any) -> list[Any]:
        try:
            leaves = jax.tree.leaves(call(tracers))
        except Exception:  # whatever a library raises
            found.append(RAISES)
            return []
        traced = [leaf for leaf in leaves if isinstance(leaf, jax.core.Tracer)]
        found.append(TRACED if traced else CONCRETE)
        return traced

    jax.eval_shape(run, *values)
    if found[0] == TRACED and not _attempt(lambda: jax.jit(run).lower(*values)):
        return RAISES  # what it made cannot be compiled
    return found[0]
