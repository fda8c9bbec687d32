"""A method that a function has compiled on each call, of an object whose class only its callers show."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

ROLLOUT = """\
import jax


def rollout(env, xs):
    step = jax.jit(env.step)
    for x in xs:
        x = step(x)
    return x
"""
ENVS = """\
from typing import NamedTuple

import jax


class Env:
    def __init__(self, rate):
        self.rate = rate

    def step(self, x):
        return x * self.rate


class Slow(Env):
    def step(self, x):
        return x + self.rate


class Fixed:
    @staticmethod
    def step(x):
        return x


class Fast:
    def __init__(self):
        self.step = jax.jit(self.step)

    def step(self, x):
        return x


class Steps(NamedTuple):
    step: object


def double(x):
    return 2 * x


def make(name):
    if name == "slow":
        return Slow(1)
    return Env(2)
"""
HEAD = "import sys\nfrom envs import *\nfrom rollouts import rollout\n\n"
LOOP = "for _ in range(100):\n    rollout(env, [1.0])\n"
KEPT = "from functools import cache\n" + ROLLOUT.replace(
    "def rollout", "@cache\ndef compiled(env):\n    return jax.jit(env.step)\n\n\ndef rollout"
).replace("jax.jit(env.step)\n    for", "compiled(env)\n    for")
OF_SELF = """\
import jax


class Runner:
    def __init__(self, env):
        self.env = env

    def rollout(self, xs):
        step = jax.jit(self.env.step)
        return [step(x) for x in xs]
"""
FOUND = {
    "a class": (ROLLOUT, f"{HEAD}env = Env(1)\n{LOOP}"),
    "one of several": (ROLLOUT, f"{HEAD}env = make(sys.argv[1])\n{LOOP}"),
    "a chain of calls": (
        ROLLOUT,
        f"{HEAD}class Trainer:\n    def __init__(self, env):\n        self.env = env\n"
        "    def evaluate(self):\n        return rollout(self.env, [1.0])\n"
        "    def train(self, epochs):\n        for _ in range(epochs):\n            self.evaluate()\n\n\n"
        "Trainer(make(sys.argv[1])).train(100)\n",
    ),
    "what an object keeps": (
        OF_SELF,
        "from envs import Env\nfrom rollouts import Runner\n\n"
        "runner = Runner(Env(1))\nfor _ in range(100):\n    runner.rollout([1.0])\n",
    ),
}
SILENT = {
    "one call": (ROLLOUT, f"{HEAD}env = Env(1)\nrollout(env, [1.0])\n"),
    "an object of another package": (ROLLOUT, f"from other import env\n{HEAD}{LOOP}"),
    "an object that keeps a function": (ROLLOUT, f"{HEAD}env = Steps(double)\n{LOOP}"),
    "a method that its object has compiled": (ROLLOUT, f"{HEAD}env = Fast()\n{LOOP}"),
    "a static method": (ROLLOUT, f"{HEAD}env = Fixed()\n{LOOP}"),
    "one of several that is no method": (ROLLOUT, f"{HEAD}env = Env(1) if sys.argv else Fixed()\n{LOOP}"),
    "a test": (
        ROLLOUT,
        f"{HEAD}def test_all():\n    env = Env(1)\n    for _ in range(9):\n        rollout(env, [1.0])\n",
    ),
    "a factory that keeps it": (KEPT, f"{HEAD}env = Env(1)\n{LOOP}"),
    "code that is compiled": (
        ROLLOUT,
        f"import jax\n{HEAD}@jax.jit\ndef several(x):\n    env = Env(1)\n    return rollout(env, x)\n\n\n"
        "for _ in range(9):\n    several([1.0])\n",
    ),
}


def found(project: Path, rollouts: str, uses: str) -> list[str]:
    write(project, {"envs.py": ENVS, "rollouts.py": rollouts, "runs.py": uses})
    findings = findings_of(project)
    return [f"{one['code']} {one['path']}" for one in findings]


@pytest.mark.parametrize(("rollouts", "uses"), FOUND.values(), ids=FOUND)
def test_a_method_that_each_call_compiles(rollouts: str, uses: str, tmp_path: Path) -> None:
    assert found(tmp_path, rollouts, uses) == ["jit-retrace rollouts.py"]


@pytest.mark.parametrize(("rollouts", "uses"), SILENT.values(), ids=SILENT)
def test_what_each_call_finds_again(rollouts: str, uses: str, tmp_path: Path) -> None:
    assert found(tmp_path, rollouts, uses) == []
