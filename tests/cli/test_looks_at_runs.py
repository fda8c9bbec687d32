"""What a function calls in a loop of its own counts where another module looks at a model again and again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

LOOKING = """\
import jax


def evaluate(weights, xs):
    @jax.jit
    def act(x):
        return x * weights

    return [act(x) for x in xs]
"""
MAIN = "from looking import evaluate\n\ndef main(weights, xs):\n"
CALLS = {
    "    for _ in range(9):\n        weights = evaluate(weights, xs)\n": ("recompiles", "run.py:5 calls it in a loop"),
    "    evaluate(weights, xs)\n    evaluate(2 * weights, xs)\n": ("potential", None),
    "    evaluate(weights, xs)\n": None,
}


@pytest.mark.parametrize("calls", CALLS)
def test_a_loop_in_another_module_shows_it(tmp_path: Path, calls: str) -> None:
    write(tmp_path, {"looking.py": LOOKING, "run.py": f"{MAIN}{calls}"})
    found = findings_of(tmp_path, "--potential")
    notes = [(one["harm"], next((note.partition(": ")[2] for note in one["notes"]), None)) for one in found]
    assert notes == ([CALLS[calls]] if CALLS[calls] is not None else [])


SIMULATING = """\
import jax


def simulate(k, x, n=100):
    step = jax.jit(lambda y: y * k)
    for _ in range(n):
        x = step(x)
    return x
"""
LOOPS = {
    "for k in ks:\n        simulate(k, x)": "recompiles",
    "list(map(lambda k: simulate(k, x), ks))": "recompiles",
    "for seed in ks:\n        simulate(seed, x)": "potential",  # of each of several experiments
    "for k in range(4):\n        simulate(k, x)": "potential",  # nobody minds a few
}


@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_over_no_experiments_shows_it_for_any_function(tmp_path: Path, loop: str) -> None:
    main = f"from simulating import simulate\n\ndef main(ks, x):\n    {loop}\n"
    write(tmp_path, {"simulating.py": SIMULATING, "run.py": main})
    found = findings_of(tmp_path, "--potential")
    assert [one["harm"] for one in found] == [LOOPS[loop]]
