"""What `check` makes of parameters with a default that only calls of other files give: JAX traces what a call gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

COMPILED = """\
from functools import partial

import jax


@jax.jit
def returns(rewards: jax.Array, gamma: float = 1.0) -> jax.Array:
    if gamma < 1.0:
        rewards = rewards * gamma
    return rewards


@jax.jit
def loss(x: jax.Array, scale=2.0, *, train=False) -> jax.Array:
    y = x * scale
    if train:
        y = y + 1
    if scale > 1:
        y = 2 * y
    return y


@partial(jax.jit, static_argnames="train")
def apart(x: jax.Array, train: bool = False) -> jax.Array:
    return 2 * x if train else x


@jax.jit
def named(x: jax.Array, mode="mean", mask=None) -> jax.Array:
    return x if mode == "mean" or mask is None else 2 * x


@jax.jit
def selected(x: jax.Array, train: bool = False) -> jax.Array:
    return jax.numpy.where(train, 2 * x, x)


def plain(x: jax.Array, train: bool = False) -> jax.Array:
    return 2 * x if train else x
"""
CALLS = """\
import compiled
import jax


def run(x: jax.Array, config, g) -> None:
    {}


run(jax.numpy.ones(3), 1, 2)
"""


def found(project: Path, *arguments: str) -> list[tuple[str, int, str]]:
    findings = findings_of(project, *arguments, "--select=jit-branch")
    return sorted((one["path"], one["line"], one["harm"]) for one in findings)


@pytest.mark.parametrize(
    ("call", "lines"),
    [
        ("compiled.returns(x, config.gamma)", [8]),
        ("compiled.returns(x, gamma=0.9)", [8]),
        ("compiled.loss(x, train=True)", [16]),
        ("compiled.loss(x, 3.0)", [18]),
        ("compiled.loss(x, g, train=g > 1)", [16, 18]),
        ("compiled.returns(x)", []),
        ("compiled.loss(x, scale=None)", []),
        ("compiled.apart(x, train=True)", []),
        ("compiled.named(x, 'sum', x)", []),
        ("compiled.selected(x, True)", []),
        ("compiled.plain(x, True)", []),
        ("compiled.returns(x, *config)", []),
    ],
)
def test_a_call_of_another_file_gives_it(call: str, lines: list[int], tmp_path: Path, cache_with_jax: str) -> None:
    files = {"compiled.py": COMPILED, "main.py": CALLS.format(call)}
    assert found(write(tmp_path, files), cache_with_jax, "--potential") == [
        ("compiled.py", line, "raises") for line in lines
    ]


def test_it_says_where(tmp_path: Path, cache_with_jax: str) -> None:
    files = {"compiled.py": COMPILED, "main.py": CALLS.format("compiled.returns(x, g), compiled.returns(x, gamma=g)")}
    findings = findings_of(write(tmp_path, files), cache_with_jax)
    assert [one["notes"] for one in findings] == [['main.py:6 gives "gamma"']]


def test_what_only_tests_give(tmp_path: Path, cache_with_jax: str) -> None:
    files = {
        "compiled.py": COMPILED,
        "test_main.py": CALLS.format("compiled.returns(x, 0.9)").replace("run", "test_run"),
    }
    assert found(write(tmp_path, files), cache_with_jax, "--potential") == []


@pytest.mark.parametrize("given", [{"train": True}, {"scale": 3.0}])
def test_what_jax_does(given: dict[str, Any]) -> None:
    program: dict[str, Any] = {}
    exec(COMPILED, program)
    x = jnp.ones(3)
    assert program["loss"](x).shape == x.shape  # a default that is left out stays a number
    with pytest.raises(jax.errors.TracerBoolConversionError):
        program["loss"](x, **given)
