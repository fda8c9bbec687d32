"""A compiled method that ends with the call that makes it finds what its object has at each call."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

BASE = """\
class Base:
    def functions(self):
        return print, print

    def train(self, xs):
        {train}

    def run(self, xs):
        self.train(xs)
"""
COVERAGE = """\
import functools

import jax

import base


class Coverage(base.Base):
    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.tau: float | None = None

    def loss(self, x: jax.Array) -> jax.Array:
        return x * self.tau

    def functions(self):
        loss = self.loss
        if self.rate:
            loss = jax.jit(loss)
        return {result}

    def calibrate(self, xs) -> None:
        self.tau = sum(xs)

    def run(self, xs):
        self.calibrate(xs)
        self.train(xs)


def main(runs):
    coverage = Coverage(0.1)
    for xs in runs:
        coverage.run(xs)


main([[1.0], [2.0]])
"""
MADE, CALLED = "loss = self.functions()", "return [loss(x) for x in xs]"
PAIR = "loss, rate = self.functions()"
KEPT = "self.kept = getattr(self, 'kept', None) or self.functions()"
FOUND = ["wrong"]


@pytest.mark.parametrize(
    ("train", "result", "found"),
    [
        ([MADE, CALLED], "loss", []),
        ([PAIR, CALLED], "loss, self.rate", []),
        ([MADE, "self.calibrate(xs)", CALLED], "loss", FOUND),
        ([MADE, "for x in xs:", "    loss(x)", "    self.run(xs[1:])"], "loss", FOUND),
        ([KEPT, "return [self.kept(x) for x in xs]"], "loss", FOUND),
        ([MADE, "xs.append(loss)"], "loss", FOUND),
        ([MADE, CALLED], "[loss]", FOUND),
    ],
)
def test_it_keeps_nothing_unless_the_object_changes_during_the_call(
    train: list[str], result: str, found: list[str], tmp_path: Path, cache: str
) -> None:
    base = BASE.replace("{train}", "\n        ".join(train))
    write(tmp_path, {"base.py": base, "coverage.py": COVERAGE.replace("{result}", result)})
    harms = [one["harm"] for one in findings_of(tmp_path, cache, "--select=jit-bound-method")]
    assert harms == found
