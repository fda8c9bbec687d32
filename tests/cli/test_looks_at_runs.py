"""What a function calls in a loop of its own counts where another module looks at a model again and again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run, write

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
    found = json.loads(run(tmp_path, "check", "--potential", "--format=json").out)["findings"]
    notes = [(one["harm"], next((note.partition(": ")[2] for note in one["notes"]), None)) for one in found]
    assert notes == ([CALLS[calls]] if CALLS[calls] is not None else [])
