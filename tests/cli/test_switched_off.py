"""Code behind a parameter that no call of the program sets so: nothing shows that it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.repeated import shown
from tests.cli.running import write

pytestmark = pytest.mark.xdist_group("light")

HERE = """\
import jax


def total(batch: jax.Array, reshard: bool) -> jax.Array:
    def summed(part: jax.Array) -> jax.Array:
        return part.sum()

    if reshard:
        return jax.jit(summed)(batch)
    return summed(batch)


class Metrics:
    def aggregate(self, batch: jax.Array, reshard: bool = False) -> jax.Array:
        return total(batch, reshard)

    def store(self, batch: jax.Array, reshard: bool = False) -> None:
        if reshard:
            batch = self.aggregate(batch, reshard=True)
        print(self.aggregate(batch))


def train(metrics: Metrics, batches: list[jax.Array], n: int) -> None:
    for batch in batches:
        metrics.store(batch)
"""
BELOW = """\
import jax
import jax.numpy as jnp


def costly(x: jax.Array) -> jax.Array:
    return jax.jit(lambda y: y * x.shape[0])(x)


def report(x: jax.Array, kind: str = "short", *, is_full: bool = False) -> None:
    if not is_full or kind == "short":
        return
    print(costly(x))


def main() -> None:
    for _ in range(9):
        report(jnp.ones(3))


main()
"""


@pytest.mark.parametrize(
    ("others", "is_shown"),
    [
        ("", False),
        ("from app import Metrics, total\n\ntotal(1, False)\nMetrics().aggregate(1, False)\n", False),
        ("from app import Metrics\n\nMetrics().aggregate(1, True)\n", True),
        ("from app import Metrics\n\ndef run(flag):\n    Metrics().aggregate(1, flag)\n", True),
        ("from app import Metrics\n\ndef run(flag=0):\n    Metrics().aggregate(1, flag)\n\nrun()\nrun(0)\n", False),
        ("from app import Metrics\n\ndef run(flag=0):\n    Metrics().aggregate(1, flag)\n\nrun()\nrun(1)\n", True),
        ("def run(metrics, batch):\n    metrics.store(batch, reshard=True)\n", True),
        ("def run(metrics, options):\n    metrics.store(1, **options)\n", True),
        ("from app import total\n\nprint(total)\n", True),
    ],
)
def test_what_a_parameter_switches_off_in_all_calls_does_not_run(
    others: str, is_shown: bool, tmp_path: Path, cache: str
) -> None:
    write(tmp_path, {"app.py": HERE, "other.py": others})
    assert ("app.py:9" in shown(tmp_path, cache)) is is_shown


def test_what_only_tests_switch_on_does_not_run(tmp_path: Path, cache: str) -> None:
    test = "from app import Metrics\n\ndef test_it():\n    Metrics().store(1, True)\n"
    write(tmp_path, {"app.py": HERE, "tests/test_app.py": test})
    assert shown(tmp_path, cache) == {}


@pytest.mark.parametrize(
    ("call", "is_shown"),
    [
        ("report(jnp.ones(3))", False),
        ('report(jnp.ones(3), "short", is_full=True)', False),
        ('report(jnp.ones(3), "long")', False),
        ('report(jnp.ones(3), "long", is_full=True)', True),
        ("report(jnp.ones(3), input(), is_full=True)", True),
    ],
)
def test_nor_does_what_code_calls_that_is_switched_off(call: str, is_shown: bool, tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"app.py": BELOW.replace("report(jnp.ones(3))", call)})
    assert ("app.py:6" in shown(tmp_path, cache)) is is_shown
