"""Programs that fit on no page: very long, very deep, or very odd."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugin.running import run_mypy

pytestmark = pytest.mark.xdist_group("light")  # one process with a cache for these settings

HUGE_NUMBER = f"""\
from dataclasses import dataclass, field

import jax

HUGE = 0x{"f" * 6000}  # Python writes no decimal number of so many digits


@jax.tree_util.register_dataclass
@dataclass
class Table:
    entries: dict[int, jax.Array] = field(metadata={{"size": 0x{"f" * 6000}}})


@jax.jit
def step(x: jax.Array, table: Table) -> jax.Array:
    table.entries[0x{"f" * 6000}] = x
    return table.entries[HUGE] + x


jax.jit(step, static_argnums=HUGE)
jax.jit(step, static_argnums=0x{"f" * 6000})
"""
DEEP_EXPRESSION = f"""\
import jax


@jax.jit
def step(x: jax.Array, table: dict[str, jax.Array]) -> jax.Array:
    a = {" + ".join(["x"] * 1000)}
    b = {"(" * 150}x{",)" * 150}
    c = x{".T" * 1000}
    table["a"] = {"jax.numpy.sum(" * 150}x{")" * 150}
    return {" if x[0] else ".join(["x"] * 150)}
"""
CIRCLES = """\
from sys import maxsize, path

import jax
import jax.numpy as jnp

maxsize = -maxsize
path = tuple(path)
for sizes in ([1], [2]):
    shapes = (sizes, 1)
sizes = (shapes, 1)
for options in ({}, {}):
    others = {"b": 1, **options}
options = {"a": 1, **others}


@jax.jit
def step(x, n=1):
    return x * n


for item in path:
    step(jnp.ones(3), item)
step(jnp.ones(3), maxsize)
step(jnp.ones(3), sizes)
step(jnp.ones(3), **options)


def turns(x):
    while x > 3:
        if x > 4:
            a = list(b)
        b = list(a)
        for item in b:
            step(x, item)
        c = {"k": d["k"]}
        d = {"k": c["k"]}
        for item in c["k"]:
            jax.jit(step)(x, item)


class Model:
    def __init__(self, state):
        self.state = state
        self.first = self.second
        self.second = self.third
        self.third = self.first

    def step(self, x, b):
        @jax.jit
        def inner(y):
            return y + self.state.normal(3) + self.first.normal(2)

        if b > 0.0:
            self.state = x
        else:
            self.state = self.state
        return inner(x)
"""
METACLASS = """\
import jax

class Meta(type): ...


@Meta
def step(x: int) -> int:
    return x


step(1)
"""


@pytest.mark.parametrize(
    ("program", "settings"),
    [
        pytest.param(HUGE_NUMBER, "", id="number"),
        pytest.param(DEEP_EXPRESSION, "", id="depth"),
        pytest.param(CIRCLES, "", id="circles"),
        # Its settings differ, so it costs another analysis of the standard library.
        pytest.param(METACLASS, "jit_functions = program.Meta", id="metaclass", marks=pytest.mark.thorough),
    ],
)
def test_an_extreme_program_causes_no_fault(tmp_path: Path, program: str, settings: str) -> None:
    out, _, status = run_mypy(tmp_path, program, f"[jaxtyped_static]\n{settings}\n" if settings else "")
    assert status in (0, 1)  # 2 is a crash
    assert "could not check" not in out
