"""A bound method of `self` is equal to itself: it is new only where the program makes one object after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

OPTIMIZING = """\
from functools import partial
from typing import Any, Callable

import jax


@partial(jax.jit, static_argnums=(0,))
def optimize(loss: Callable[..., Any], params: jax.Array) -> jax.Array:
    return loss(params)
"""
AGENT = """\
import jax

from optimizing import optimize


class Agent:
    def __init__(self) -> None:
        self.params = jax.numpy.ones(2)

    def loss(self, params: jax.Array) -> jax.Array:
        return params

    def train(self, steps: int) -> None:
        for _ in range(steps):
            self.params = optimize(self.loss, self.params)
"""
ONE = "from agent import Agent\n\nAgent().train(9)\n"
MANY = "from agent import Agent\n\nfor n in map(int, input()):\n    Agent().train(n)\n"


@pytest.mark.parametrize(("main", "harm"), [("", "potential"), (ONE, "potential"), (MANY, "recompiles")])
def test_methods_of_one_object_are_equal(main: str, harm: str, tmp_path: Path, cache_with_jax: str) -> None:
    files = {"pyproject.toml": "", "optimizing.py": OPTIMIZING, "agent.py": AGENT, "main.py": main}
    found = findings_of(write(tmp_path, files), cache_with_jax, "--select=static-callable", "--potential")
    assert [one["harm"] for one in found] == [harm]
