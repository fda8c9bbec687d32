"""Methods that fill an object where it has just been made: no compiled code has seen it before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

NETS = """\
import functools

import jax
import jax.numpy as jnp


class Net:
    def __init__(self) -> None:
        self.kernel: jax.Array | None = None

    def fill(self, size: int) -> None:
        self.kernel = jnp.ones(size)


@functools.partial(jax.jit, static_argnames="net")
def applied(net: Net, x: jax.Array) -> jax.Array:
    return x * net.kernel
"""
PROBLEM = """\
import jax
from nets import Net, applied


class Problem:
    def __init__(self, size: int) -> None:
        {making}

    def reset(self, x: jax.Array) -> jax.Array:
        return applied(self.net, x)


def warm(problem: Problem) -> None:
    print(problem.reset(jax.numpy.ones(3)))


def main(xs: list[jax.Array]) -> None:
    problem = Problem(3)
    for x in xs:
        print(problem.reset(x)){more}


main([])
"""
SIDE_BY_SIDE = ["self.net = Net()", "self.second = Net()", "self.net.fill(size)", "self.second.fill(size)"]


def _is_stale(project: Path, cache: str, making: list[str], more: str = "") -> bool:
    text = PROBLEM.replace("{making}", "\n        ".join(making)).replace("{more}", more)
    write(project, {"nets.py": NETS, "main.py": text})
    return any(one["harm"] == "wrong" for one in findings_of(project, cache))


@pytest.mark.parametrize(
    "making",
    [
        ["self.net = Net()", "self.net.fill(size)"],
        ["net = Net()", "net.fill(size)", "self.net = net"],
        ["self.net = Net()", "size = max(size, 3)", "self.net.fill(size)"],
        SIDE_BY_SIDE,
    ],
)
def test_what_is_filled_where_it_is_made_leaves_nothing_behind(making: list[str], tmp_path: Path, cache: str) -> None:
    assert not _is_stale(tmp_path, cache, making)


@pytest.mark.parametrize(
    ("making", "more"),
    [
        (["self.net = Net()"], "\n        problem.net.fill(2)"),
        (["self.net = Net()", "self.net.fill(size)"], "\n        problem.net.fill(2)"),
        (["self.net = Net()", "print(applied(self.net, size))", "self.net.fill(size)"], ""),
        (["self.net = Net()", "self.reset(size)", "self.net.fill(size)"], ""),
        (["self.net = Net()", "warm(self)", "self.net.fill(size)"], ""),
    ],
)
def test_what_is_filled_later_does(making: list[str], more: str, tmp_path: Path, cache: str) -> None:
    assert _is_stale(tmp_path, cache, making, more)
