"""The table of parameters that refuse lists says what the installed JAX does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax
import pytest

from jaxtyped_static_mypy.knowledge.array_arguments import ARRAY_PARAMETERS, MEASURED
from tests.plugin.lists_to_jax import REFUSES, SKIPPED, answers, functions, is_rest

pytestmark = pytest.mark.skipif(
    not jax.__version__.startswith(MEASURED), reason="the table was measured with another release"
)

_AREAS: Final = ("numpy", "nn", "ops", "lax", "random", "scipy")
_FUNCTIONS: Final = [(name, function) for name, function in functions() if name.partition(".")[0] in _AREAS]
_EVERY: Final = 16  # `make test` measures some of them


def _marks(index: int) -> list[pytest.MarkDecorator]:
    return [] if index % _EVERY == 0 else [pytest.mark.thorough]


@pytest.mark.parametrize(
    ("name", "function"),
    [
        pytest.param(*one, id=one[0], marks=_marks(index))
        for index, one in enumerate(_FUNCTIONS)
        if one[0] not in SKIPPED
    ],
)
def test_each_parameter_refuses_lists_as_the_row_says(name: str, function: Callable[..., Any]) -> None:
    seen = {
        (position, parameter, is_rest(function, parameter))
        for (position, parameter), answer in answers(name, function).items()
        if answer == REFUSES
    }
    assert seen <= {tuple(parameter) for parameter in ARRAY_PARAMETERS.get(name, ())}
    names = {parameter for _, parameter, _ in seen}
    own = {tuple(row) for row in ARRAY_PARAMETERS.get(name, ()) if row.name in names or _is_alone(name)}
    assert own == seen


def _is_alone(name: str) -> bool:
    """Whether no other function has this row: `jnp.cross` and `jnp.linalg.cross` share theirs."""
    return sum(other == name for other, _ in _FUNCTIONS) == 1


def test_every_row_belongs_to_a_function() -> None:
    assert set(ARRAY_PARAMETERS) - {name for name, _ in _FUNCTIONS} == set()
