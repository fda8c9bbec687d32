"""What each pass of a loop compiles anyway is potential, wherever the loop is: it gives other code, or another size."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run, write

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


def found(project: Path, loop: str) -> set[str]:
    """What the program does whose function `main` has this loop."""
    beside = BESIDE.partition("\n\ndef looped")[0] if "looped" not in loop else BESIDE
    write(project, {"tools.py": TOOLS, "runs.py": f"{MAIN}    {loop}\n{beside}"})
    said = json.loads(run(project, "check", "--format=json", "--select=jit-retrace", "--potential").out)
    return {one["harm"] for one in said["findings"]}


@pytest.mark.parametrize("loop", OWN)
def test_a_loop_that_gives_other_code_shows_nothing(tmp_path: Path, loop: str) -> None:
    assert found(tmp_path, OWN[loop]) == {"potential"}


@pytest.mark.parametrize("loop", SHARED)
def test_a_loop_that_gives_data_does(tmp_path: Path, loop: str) -> None:
    assert found(tmp_path, SHARED[loop]) == {"recompiles"}
