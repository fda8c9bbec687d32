"""The table of Python's functions says which take no tracers: those of `random`, `statistics` and their like."""

from __future__ import annotations

import datetime
import decimal
import fractions
import random
import statistics
import time
import types
from collections.abc import Callable, Sequence
from typing import Any, Final

import jax
import pytest

from jaxtyped_static_mypy.knowledge.function_rows import Conversion
from jaxtyped_static_mypy.knowledge.python_functions import PYTHON_FUNCTIONS

_MODULES: Final[Sequence[types.ModuleType]] = (datetime, decimal, fractions, random, statistics, time)
# Arguments with which each of `random` works; functions without arguments are left out.
_OF_RANDOM: Final = {
    "betavariate": (0.5, 0.5),
    "choices": ([1, 2], [0.5, 0.5]),
    "expovariate": (0.5,),
    "gammavariate": (0.5, 0.5),
    "gauss": (0.5, 0.5),
    "getrandbits": (2,),
    "lognormvariate": (0.5, 0.5),
    "normalvariate": (0.5, 0.5),
    "paretovariate": (0.5,),
    "randbytes": (2,),
    "randint": (0, 2),
    "randrange": (2,),
    "sample": ([1, 2, 3], 2),
    "seed": (2,),
    "triangular": (0.25, 0.75),
    "uniform": (0.5, 0.75),
    "weibullvariate": (0.5, 0.5),
    "Random": (2,),
}
_NUMBERS: Final = [0.5, 0.25, 0.75]
_OTHERS: Final = {
    "datetime.timedelta": (2,),
    "decimal.Decimal": (2,),
    "fractions.Fraction": (2,),
    "time.sleep": (0,),
}


def _functions() -> dict[str, tuple[Any, ...]]:
    of_random = {f"random.{name}": given for name, given in _OF_RANDOM.items()}
    return of_random | _OTHERS | {name: _of_statistics(name) for name in _names_of_statistics()}


def _names_of_statistics() -> list[str]:
    found = (getattr(statistics, name) for name in statistics.__all__)
    own = (function for function in found if isinstance(function, types.FunctionType))
    return [f"statistics.{function.__name__}" for function in own if not function.__name__.startswith("kde")]


def _of_statistics(name: str) -> tuple[Any, ...]:
    function = _named(name)
    try:
        function(_NUMBERS)
    except TypeError:
        return (_NUMBERS, _NUMBERS)
    return (_NUMBERS,)


def _named(name: str) -> Callable[..., Any]:
    module, _, short = name.partition(".")
    function: Callable[..., Any] = next(getattr(found, short) for found in _MODULES if found.__name__ == module)
    return function


def _raises(function: Callable[..., Any], given: Sequence[Any], index: int) -> bool:
    """Whether a call raises with tracers in place of one argument, or of its items."""
    found: list[bool] = []

    def run(x: jax.Array) -> float:
        traced = [x for _ in given[index]] if isinstance(given[index], list) else x
        try:
            function(*given[:index], traced, *given[index + 1 :])
        except Exception:  # whatever Python raises
            found.append(True)
        return 0.0

    example = given[index][0] if isinstance(given[index], list) else given[index]
    jax.eval_shape(run, example)
    return bool(found)


@pytest.mark.parametrize("name", sorted(_functions()))
def test_a_function_raises_for_every_argument_if_the_table_says_so(name: str) -> None:
    given, asks = _functions()[name], getattr(PYTHON_FUNCTIONS.get(name), "converts", None)
    raising = [_raises(_named(name), given, index) for index in range(len(given))]
    _named(name)(*given)
    if asks is Conversion.PYTHON_ONLY_AFTER:
        assert raising[1:] == [True] * len(raising[1:])
    else:
        assert (asks is Conversion.PYTHON_ONLY) == all(raising)
