"""What `check` says of control flow outside of jit that other modules run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

SIMULATION = """\
import jax
import jax.numpy as jnp
from jax import lax


def simulate(rate: float, xs: jax.Array) -> jax.Array:
    return lax.scan(lambda carry, x: (carry * rate + x, None), jnp.zeros(()), xs)[0]


def relax(x: jax.Array) -> jax.Array:
    for _ in range(100):
        x = lax.cond(x > 1, lambda y: y, lambda y: y + 1, x)
    return x
"""


RUN = """\
import jax
import jax.numpy as jnp

from simulation import relax, simulate


def main() -> None:
    xs = jnp.arange(4.0)
    for i in range(100):
        simulate(i, xs)
    relax(xs[0])


if __name__ == "__main__":
    main()
"""


JITTED = RUN.replace("    for i", "    fast = jax.jit(simulate)\n    for i").replace("        simulate", "        fast")


def test_check_reports_what_other_modules_run(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"simulation.py": SIMULATION, "run.py": RUN})
    found = findings_of(tmp_path, cache)
    assert [(one["harm"], one["line"], one["notes"]) for one in found] == [
        ("recompiles", 7, ['"simulate" runs again and again, and not in a trace: run.py:10 calls it in a loop']),
        ("recompiles", 12, ['"relax" runs, and not in a trace: run.py:11 calls it']),
    ]


@pytest.mark.parametrize(
    ("made", "is_found"),
    [
        ("simulate_all = jax.vmap(simulate, (None, 0))", True),
        ("simulate = jax.vmap(simulate, (None, 0))", False),
        ("simulate_all = jax.jit(simulate)", False),
        ("simulate_all = wrapped(simulate)", False),
    ],
)
def test_a_function_may_have_another_one_for_batches(made: str, is_found: bool, tmp_path: Path, cache: str) -> None:
    """Whoever calls the function itself runs it outside of jit all the same."""
    mapped = SIMULATION.replace("\n\ndef relax", f"\n\n{made}\n\n\ndef relax")
    write(tmp_path, {"simulation.py": mapped, "run.py": RUN})
    assert (7 in [one["line"] for one in findings_of(tmp_path, cache)]) is is_found


SEVERAL = """\
import jax
from jax import lax


def step(x: jax.Array) -> jax.Array:
    y = lax.cond(x > 1, lambda y: y, lambda y: y + 1, x)
    return lax.cond(x > 2, lambda y: y, lambda y: y + 1, y)


def main() -> None:
    x = y = jax.numpy.zeros(())
    for _ in range(100):
        x = step(x)
        y = lax.cond(x > 1, lambda y: y, lambda y: y + 1, x)
        y = lax.cond(x > 2, lambda y: y, lambda y: y + 1, y)


main()
"""


def test_one_function_or_loop_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"several.py": SEVERAL})
    found = findings_of(tmp_path, cache)
    assert [one["line"] for one in found] == [6, 14]


def test_check_is_silent_where_a_module_jits_it(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"simulation.py": SIMULATION, "run.py": JITTED.replace("    relax(xs[0])\n", "")})
    assert not findings_of(tmp_path, cache)


AGENT = """\
import jax.numpy as jnp

from simulation import relax


class Agent:
    def __init__(self, x):
        self.x = relax(x)
"""


MADE_ONCE = "from agent import Agent\nimport jax.numpy as jnp\nAgent(jnp.ones(()))\n"


LOOPED = {
    "made once": ({"run.py": MADE_ONCE}, False),
    "made by users": ({}, False),
    "made once, and called in a trace": (
        {"run.py": f"{MADE_ONCE}from simulation import relax\nimport jax\njax.jit(lambda x: relax(x))(1.0)\n"},
        False,
    ),
    "made in a loop": ({"run.py": MADE_ONCE.replace("Agent(", "for _ in range(9):\n    Agent(")}, True),
    "called elsewhere, too": ({"run.py": f"{MADE_ONCE}from simulation import relax\nrelax(jnp.ones(()))\n"}, True),
}


@pytest.mark.parametrize(("files", "is_found"), LOOPED.values(), ids=LOOPED)
def test_a_loop_that_makes_the_parts_of_one_object(
    files: dict[str, str], is_found: bool, tmp_path: Path, cache: str
) -> None:
    write(tmp_path, {"simulation.py": SIMULATION, "agent.py": AGENT, **files})
    found = findings_of(tmp_path, cache)
    assert [finding["code"] for finding in found] == (["jit-retrace"] if is_found else [])


OF_AGENT = """\
import jax
from jax import lax


class Agent:
    def decayed(self, x):
        return lax.cond(x > 1, lambda x: x, lambda x: x + 1, x)
"""


PLOT = "def plot(directory, agent, n=3):\n    print(directory)\n    return [agent.decayed(i) for i in range(n)]\n"


PLOTTED = {
    "one class": ("from agent import Agent\nfrom plot import plot\nagent = Agent()\nplot('.', agent, 9)\n", True),
    "by name": ("from agent import Agent\nfrom plot import plot\nplot('.', agent=Agent())\n", True),
    "another class": (
        "import agent\nfrom plot import plot\nclass Other:\n    def decayed(self, x):\n        return x\n"
        "plot('.', Other())\n",
        False,
    ),
    "unknown": ("import agent\nfrom plot import plot\ndef run(one):\n    plot('.', one)\n", False),
}


@pytest.mark.parametrize(("caller", "is_found"), PLOTTED.values(), ids=PLOTTED)
def test_callers_show_the_class_of_a_parameter(caller: str, is_found: bool, tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"agent.py": OF_AGENT, "plot.py": PLOT, "run.py": caller})
    found = findings_of(tmp_path, cache)
    assert [finding["code"] for finding in found] == (["jit-retrace"] if is_found else [])


CHOSEN = """\
import jax
import jax.numpy as jnp
from jax import lax


def double(x: jax.Array) -> jax.Array:
    return x * 2


def repeated(x: jax.Array, {parameter}) -> jax.Array:
    step = double if {condition} else jnp.sin
    return lax.scan(lambda y, _: (step(y), None), x, length=9)[0]


x = jnp.ones(3)
for _ in range(100):
    x = repeated(x, {given})
"""


@pytest.mark.parametrize(
    ("parameter", "condition", "given", "has_arrays"),
    [("n: int", "n > 3", "4", False), ("model", "model", "double", True)],
)
def test_a_number_has_no_arrays_to_pass(
    parameter: str, condition: str, given: str, has_arrays: bool, tmp_path: Path, cache: str
) -> None:
    program = CHOSEN.format(parameter=parameter, condition=condition, given=given)
    (found,) = findings_of(write(tmp_path, {"main.py": program}), cache)
    assert ("the arrays of" in found["advice"]) == has_arrays
