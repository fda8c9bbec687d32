"""One cause in what is compiled, or in its lists, is one finding, with every place that it affects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of, lines_of, write

pytestmark = pytest.mark.xdist_group("light")

CALLABLES = """\
from collections.abc import Callable

from jaxtyped_static import Static, jit

Function = Callable[[float], float]


@jit
def first(cost: Static[Function], x: float) -> float:
    return cost(x)


@jit
def second(cost: Static[Function], x: float) -> float:
    return cost(x)


def solve(x: float, weight: float) -> float:
    def cost(value: float) -> float:
        return value * weight

    return first(cost, x) + second(cost, x)


def train(x: float) -> float:
    for _ in range(10):
        x = solve(x, 0.5)
    return x
"""


def test_one_callable_that_several_functions_get_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"solving.py": CALLABLES})
    (found,) = findings_of(tmp_path, cache, "--select=static-callable")
    assert '"cost"' in found["problem"]
    assert [place["description"] for place in found["positions"]] == [
        'Static argument "cost" of "first"',
        'Static argument "cost" of "second"',
    ]


LOOP = """\
import jax


def train(x: jax.Array) -> jax.Array:
    for power in range(3):
        x = jax.jit(lambda y: y + 1)(x)
        x = jax.jit(lambda y: y + 1)(x)
    while True:
        x = jax.jit(lambda y: y + 1)(x)
    return x
"""


def test_what_one_loop_compiles_again_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"training.py": LOOP})
    found = findings_of(tmp_path, cache, "--select=jit-retrace")
    assert [(one["line"], lines_of(one)) for one in found] == [(6, [6, 7]), (9, [])]


FACTORY = """\
import functools

import jax


class Workspace:
    def __init__(self) -> None:
        self.scale = 2.0

    def batch(self, params: jax.Array, x: jax.Array) -> jax.Array:
        return x * params * self.scale

    def dual(self, params: jax.Array, x: jax.Array) -> jax.Array:
        def conjugate(y: jax.Array) -> jax.Array:
            return y - params

        @jax.jit
        def halved(y: jax.Array) -> jax.Array:
            return y / params

        first = jax.jit(jax.vmap(conjugate))
        return jax.jit(functools.partial(self.batch, params))(first(halved(x)))

    def primal(self, params: jax.Array, x: jax.Array) -> jax.Array:
        return jax.jit(lambda y: y * params)(x)


def main(params: list[jax.Array], x: jax.Array) -> None:
    workspace = Workspace()
    for part in params:
        print(workspace.dual(part, x), workspace.primal(part, x))
"""


def test_what_one_function_compiles_again_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"train.py": FACTORY})
    first, other = findings_of(tmp_path, cache)
    assert lines_of(first) == [17, 21, 22]
    assert (first["line"], first["code"]) == (17, "jit-retrace")
    assert (other["line"], other["positions"]) == (25, [])


LISTED = """\
from functools import partial

import jax


@partial(jax.jit, static_argnames=("n", "left", "over"))
def step(x: jax.Array, n: int) -> jax.Array:
    return x * n


@partial(jax.jit, static_argnames="gone")
def other(x: jax.Array) -> jax.Array:
    return x
"""


def test_what_one_list_names_in_vain_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"main.py": LISTED})
    first, second = findings_of(tmp_path, cache, "--select=jit-argnames")
    assert (len(first["positions"]), second["line"]) == (2, 11)
    assert [note for note in first["notes"] if note.startswith("Write")] == ['Write instead: static_argnames=("n",)']


WRITTEN_AGAIN = """\
from functools import partial

import jax


def first(x: jax.Array, n: int) -> jax.Array:
    return x * n


def second(x: jax.Array, n: int) -> jax.Array:
    return x + n


fast = [jax.jit(first, static_argnums=5), jax.jit(second, static_argnums=5), jax.jit(second, static_argnums=7)]
named = {
    "first": jax.jit(first, static_argnames="m"),
    "second": jax.jit(second, static_argnames="m"),
}
alone = jax.jit(first, static_argnums=5)

partial(jax.jit, static_argnames="n")
def third(x: jax.Array, n: int) -> jax.Array:
    return x * n


partial(jax.jit, static_argnames="n")
def fourth(x: jax.Array, n: int) -> jax.Array:
    return x * n


@jax.jit
def chosen(x, kind, other):
    return x if kind == "a" else -x


def use(x: jax.Array) -> None:
    chosen(x, "a", 1)
    chosen(x, "b", 1)
    chosen(x, "a", "b")
"""


def test_what_is_written_again_and_again_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"main.py": WRITTEN_AGAIN})
    found = [(one["line"], lines_of(one)) for one in findings_of(tmp_path, cache, "--select=jit-argnames")]
    assert found == [(14, [14, 14]), (14, []), (16, [16, 17]), (19, []), (21, [21, 26])]


def test_what_several_calls_pass_for_one_parameter_is_one_finding(tmp_path: Path, cache_with_jax: str) -> None:
    write(tmp_path, {"pyproject.toml": "", "main.py": WRITTEN_AGAIN})
    found = findings_of(tmp_path, cache_with_jax, "--select=jit-untraceable")
    assert [(one["line"], len(one["positions"])) for one in found] == [(37, 3), (39, 0)]


BOTH_LISTS = """\
from functools import partial

import jax


@partial(jax.jit, static_argnums=(0, 1), static_argnames=("c",))
def build(a: int, b: int, x: jax.Array, c: bool = False) -> jax.Array:
    return x * a * b if c else x


build(1, 2, jax.numpy.ones(2), True)
build(a=1, b=2, x=jax.numpy.ones(2))
"""


def test_what_two_lists_leave_out_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"training.py": BOTH_LISTS})
    found = findings_of(tmp_path, cache, "--select=jit-argnames")
    assert [(one["line"], lines_of(one)) for one in found] == [(7, [7, 7, 7])]


STEPS_IN_A_LOOP = """\
import jax


class Scale:
    def __call__(self, x: jax.Array) -> jax.Array:
        return x * 2


def train(x: jax.Array) -> jax.Array:
    for _ in range(int(input())):
        x = jax.jit(lambda y: y + 1)(x)
        x = jax.jit(Scale())(x)
    return x


train(jax.numpy.ones(2))
"""


def test_each_place_says_what_is_wrong_there(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"training.py": STEPS_IN_A_LOOP})
    (found,) = findings_of(tmp_path, cache, "--select=jit-retrace")
    first, second = (one["description"] for one in found["positions"])
    assert first == "here"
    assert second.startswith("This loop creates a callable object of Scale on every pass")


AGENT = """\
from collections.abc import Callable

from jaxtyped_static import Static, jit


@jit
def optimize(loss: Static[Callable[[float], float]], params: float) -> float:
    return loss(params)


class Agent:
    def loss(self, params: float) -> float:
        return params

    def train_step(self, params: float) -> float:
        return optimize(self.loss, params)

    def learn(self, params: float) -> None:
        for _ in range(9):
            params = self.train_step(params)
"""
ONE_AGENT = "from agent import Agent\n\n\ndef main():\n    Agent().learn(1.0)\n\n\nmain()\n"
AGENTS = ONE_AGENT.replace("    Agent", "    for _ in range(3):\n        Agent")


@pytest.mark.parametrize(("main", "harms"), [(ONE_AGENT, ["potential"]), (AGENTS, ["recompiles"])])
def test_methods_of_one_object_are_equal(main: str, harms: list[str], tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"agent.py": AGENT, "main.py": main})
    found = findings_of(tmp_path, cache, "--select=static-callable", "--potential")
    assert [one["harm"] for one in found] == harms
