"""What the guide quotes: JAX's exceptions, and the table of outcomes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import pytest

from benchmarks.compared import outcomes
from tests.rules.cases import GUIDE

pytestmark = pytest.mark.thorough
Call = Callable[[], object]


@pytest.mark.filterwarnings("ignore:A JAX array is being set as static")
def test_the_outcomes_are_those_of_the_table() -> None:
    table = "\n".join(outcomes())
    assert table in (GUIDE / "compared.md").read_text(encoding="utf-8")


@dataclass
class Pytree:
    value: object


@dataclass(frozen=True)
class Grid:
    cells: int

    @functools.cached_property  # type: ignore[static-cache]
    def centres(self) -> jax.Array:
        return jnp.arange(self.cells)

    @functools.partial(jax.jit, static_argnums=0)
    def total(self, u: jax.Array) -> jax.Array:
        return u + self.centres


GRID = Grid(2)


def questions() -> Mapping[str, Call]:
    """Returns, for each quoted beginning of a message, a call that raises it."""
    jax.tree_util.register_dataclass(Pytree, [], ["value"])
    same = jax.jit(lambda x: x)
    listed = functools.partial(jax.jit(lambda x: x, static_argnums=0), [1])
    return {
        "Non-hashable static arguments are not supported": listed,
        "Exception raised while checking equality of metadata fields of pytree": lambda: [
            same(Pytree(jnp.ones(2))) for _ in range(2)
        ],
        "Encountered an unexpected tracer": lambda: [GRID.total(jnp.ones(2, dtype)) for dtype in ("f4", "i4")],
        "Error interpreting argument to": lambda: same(object()),
        "Attempted boolean conversion of traced array": lambda: jax.jit(bool)(1),
        "Shapes must be 1D sequences of concrete values": lambda: jax.jit(jnp.ones)(3),  # type: ignore[static-traced]
    }


def test_jax_says_what_the_questions_quote() -> None:
    page = (GUIDE / "questions.md").read_text(encoding="utf-8")
    quoted = re.findall(r'"([^"]+)"', "\n".join(re.findall(r"^### (.*)$", page, re.MULTILINE)))
    raised = questions()
    assert {message.partition(" ... ")[0] for message in quoted} == set(raised)
    for message, call in raised.items():
        with pytest.raises(Exception, match=message):
            call()
