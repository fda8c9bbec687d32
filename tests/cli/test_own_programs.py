"""What each pass of a loop compiles anyway is potential, wherever the loop is: it gives other code, or another size."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

TOOLS = """\
import jax
import jax.numpy as jnp


def summed(f, k, x, n=1):
    return jax.jit(lambda y: f(y).sum() * k + jnp.zeros(n))(x)


class Summed:
    @staticmethod
    def of(f, x):
        return summed(f, 1.0, x)

    def again(self, f, x):
        return summed(f, 1.0, x)
"""
MAIN = """\
import jax.numpy as jnp
from tools import Summed, summed


def main(x, fs, ks):
    f, total = fs["a"], Summed()
"""
OWN = {
    "functions": "for f in fs: summed(f, 1.0, x)",
    "by name": "for name in fs: summed(fs[name], 1.0, x)",
    "by keyword": "for f in fs: summed(k=1.0, x=x, f=f)",
    "a size": "for k in ks: summed(f, 1.0, x, k)",
    "through another function": "for f in fs: through(f, x)",
    "a static method": "for f in fs: Summed.of(f, x)",
    "a method": "for f in fs: total.again(f, x)",
    "two loops": "for f in fs:\n        for k in ks: summed(f, 1.0, x, k)",
}
OWN_PARTS = {
    "an attribute": "for f in fs:\n        args.f = f\n        chosen(args, x)",
    "an item": "for f in fs:\n        args['f'] = f\n        with_items(args, x)",
    "an attribute that a call sets": "for f in fs:\n        setattr(args, 'f', f)\n        chosen(args, x)",
    "through another function": "for f in fs:\n        args.f = f\n        handed(args, x)",
    "the object of a method": "for f in fs: Holder(f).run(x)",
    "an attribute of that": "for f in fs:\n        total.f = f\n        total.run(x)",
    "an optimiser": "for k in ks: trained(k, x)",
}
SHARED_PARTS = {
    "an attribute": "for f in fs:\n        args.name = f\n        chosen(args, x)",
    "an item": "for f in fs:\n        args['name'] = f\n        with_items(args, x)",
    "through another function": "for f in fs:\n        args.name = f\n        handed(args, x)",
    "the object of a method": "for f in fs: Holder(x).run(f)",
    "an attribute of that": "for f in fs:\n        total.name = f\n        total.run(x)",
    "an optimiser": "for k in ks: trained(x, k)",
    "a seed": "for seed in ks:\n        args.f = seed\n        chosen(args, x)",
}
PARTS = """\
import jax
import optax


def chosen(args, x):
    f = args.f
    return jax.jit(lambda y: f(y))(x)


def with_items(args, x):
    f = args["f"]
    return jax.jit(lambda y: f(y))(x)


def handed(options, x):
    return chosen(options, x)


class Holder:
    def __init__(self, f):
        self.f = f

    def run(self, x):
        f = self.f
        return jax.jit(lambda y: f(y))(x)


def trained(rate, x):
    tx = optax.adam(rate)
    return jax.jit(lambda y: tx.update(y, tx.init(y)))(x)
"""
OF_PARTS = """\
from parts import Holder, chosen, with_items, handed, trained


def main(args, total: Holder, x, fs, ks):
"""
SHARED = {
    "numbers": "for k in ks: summed(f, k, x)",
    "arrays": "for k in ks: summed(f, 1.0, k)",
    "no argument": "for _ in ks: summed(f, 1.0, x)",
    "one of two loops": "for f in fs:\n        for k in ks: summed(f, k, x)",
    "through another function": "for k in ks: through(f, k)",
    "a method": "for k in ks: total.again(f, k)",
    "an endless loop": "while True: summed(f, 1.0, x)",
    "a loop around": "for _ in ks: looped(fs, x)",
}
BESIDE = """

def through(f, x):
    return summed(f, 1.0, x)


def looped(fs, x):
    for f in fs:
        summed(f, 1.0, x)
"""


def found(project: Path, loop: str, cache: str) -> set[str]:
    """What the program does whose function `main` has this loop."""
    beside = BESIDE.partition("\n\ndef looped")[0] if "looped" not in loop else BESIDE
    write(project, {"tools.py": TOOLS, "runs.py": f"{MAIN}    {loop}\n{beside}"})
    return {one["harm"] for one in findings_of(project, cache, "--select=jit-retrace", "--potential")}


@pytest.mark.parametrize("loop", OWN)
def test_a_loop_that_gives_other_code_shows_nothing(tmp_path: Path, cache: str, loop: str) -> None:
    assert found(tmp_path, OWN[loop], cache) == {"potential"}


@pytest.mark.parametrize("loop", SHARED)
def test_a_loop_that_gives_data_does(tmp_path: Path, cache: str, loop: str) -> None:
    assert found(tmp_path, SHARED[loop], cache) == {"recompiles"}


def found_in_parts(project: Path, loop: str, cache: str) -> set[str]:
    write(project, {"parts.py": PARTS, "runs.py": f"{OF_PARTS}    {loop}\n"})
    found = findings_of(project, cache, "--select=jit-retrace", "--potential")
    called = next((name for name in ("with_items", "trained", "run") if f"{name}(" in loop), "chosen")
    return {one["harm"] for one in found if one["subject"].rpartition(" ")[2] == called}


@pytest.mark.parametrize("loop", OWN_PARTS)
def test_a_loop_that_gives_a_part_that_is_other_code_shows_nothing(tmp_path: Path, cache: str, loop: str) -> None:
    assert found_in_parts(tmp_path, OWN_PARTS[loop], cache) == {"potential"}


@pytest.mark.parametrize("loop", SHARED_PARTS)
def test_a_loop_that_gives_another_part_does(tmp_path: Path, cache: str, loop: str) -> None:
    assert found_in_parts(tmp_path, SHARED_PARTS[loop], cache) == {"recompiles"}


SIZED = """\
import jax
import jax.numpy as jnp
import numpy as np


def padded(x, target_shape):
    return jnp.zeros(target_shape).at[: len(x)].set(x)


def solve(c, r):
    w = np.random.randn(len(c), r) / r
    w = jax.device_put(w)
    loss = jax.jit(lambda w: (c @ w).sum())
    for _ in range(9):
        w = w - loss(w)
    return w


def fit(c, r):
    loss = jax.jit(lambda w: (c.T @ w).sum() * r)
    return loss(jnp.ones(len(c)))


def main(c, xs, buckets):
    r = 1
"""
OF_OWN_SIZE = {
    "buckets": """
    for shape, members in buckets.items():
        x = padded(xs[members], target_shape=shape)
        f = jax.jit(lambda x: x.sum() * r)
        print(f(x))
""",
    "a size that is doubled": """
    found = None
    while found is None:
        r *= 2
        found = solve(c, r)
""",
    "a search": """
    while r < 100:
        r = min(2 * r, 100)
        solve(c, r)
""",
    "sizes written out": """
    for n in (10, 100, 1000):
        f = jax.jit(lambda x: x.sum() * r)
        f(np.ones((n, 2)))
""",
}
OF_ONE_SIZE = {
    "data": """
    for x in xs:
        f = jax.jit(lambda x: x.sum() * r)
        print(f(x))
""",
    "sizes that data has": """
    for x in xs:
        f = jax.jit(lambda x: x.sum() * r)
        print(f(jnp.ones(x.shape)))
""",
    "one size": """
    for shape, members in buckets.items():
        f = jax.jit(lambda x: x.sum() * r)
        print(f(padded(xs[members], target_shape=c.shape)))
""",
    "a number that is doubled": """
    while r < 100:
        r *= 2
        fit(c, r)
""",
}


def found_in_sized(project: Path, loop: str, cache: str) -> set[str]:
    write(project, {"runs.py": f"{SIZED}{loop}\n\nmain(np.ones((3, 3)), [np.ones(2)], {{(4,): 0}})\n"})
    return {one["harm"] for one in findings_of(project, cache, "--select=jit-retrace", "--potential")}


@pytest.mark.parametrize("loop", OF_OWN_SIZE)
def test_a_loop_that_gives_arrays_of_another_size_shows_nothing(tmp_path: Path, cache: str, loop: str) -> None:
    assert found_in_sized(tmp_path, OF_OWN_SIZE[loop], cache) == {"potential"}


@pytest.mark.parametrize("loop", OF_ONE_SIZE)
def test_a_loop_that_gives_arrays_of_one_size_does(tmp_path: Path, cache: str, loop: str) -> None:
    assert "recompiles" in found_in_sized(tmp_path, OF_ONE_SIZE[loop], cache)
