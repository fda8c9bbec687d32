"""`jaxtyped-static migrate` moves static parameters into the annotations, and changes nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.running import run, write
from tests.e2e.environments import ROOT

pytestmark = pytest.mark.xdist_group("light")

PAGE = (ROOT / "docs" / "migrate.md").read_text()
BEFORE, AFTER = re.findall(r"```python good run\n(.*?)```", PAGE, re.DOTALL)

# Each function and what becomes of it: the static parameters, or the reason why it is left.
SPELLINGS = """\
import functools
from dataclasses import dataclass
from functools import partial as p

import jax
import jax as j
from jax import jit as compiled

NAMES = ("n",)
BOTH = ["n", "m"]
static = p(jax.jit, static_argnames=NAMES)


@static
def by_alias(x: int, n: int) -> None: ...  # n


@p(compiled, static_argnums=[1, 2])
def by_number(x: int, n: int, m: "int", /) -> None: ...  # n, m


@functools.partial(j.jit, static_argnames=BOTH)
def by_constant(x: int, n: int, *, m: int) -> None: ...  # n, m


def called(x: int, n: int) -> None: ...  # n


called = jax.jit(called, static_argnums=1)


def twice(x: int, n: int) -> None: ...  # n


first, second = jax.jit(twice, static_argnames="n"), p(jax.jit, static_argnums=(1,))(twice)


class Outer:
    @dataclass(frozen=True)
    class Inner:
        @jax.jit(static_argnames=("self", "n"))
        def method(self, n: int) -> None: ...  # self, n

        @classmethod
        @jax.jit(static_argnums=0)
        def made(cls, x: int) -> None: ...  # cls

        @p(jax.jit, static_argnums=0, static_argnames="n")
        def keyword_only(self, x: int, *, n: int) -> None: ...  # self, n

        @p(jax.jit, static_argnums=0, static_argnames="n")
        def one_way(self, x: int, n: int) -> None: ...  # one-way


@p(jax.jit, static_argnums=-1)
def from_the_end(x: int, n: int) -> None: ...  # negative


@p(jax.jit, static_argnames="n")
def into_kwargs(x: int, **kwargs: int) -> None: ...  # variadic


@p(jax.jit, static_argnames="n")
def bare(x, n) -> None: ...  # unannotated


@p(jax.jit, static_argnames="n")
def no_type(x: int, n: (int, str)) -> None: ...  # annotation


@p(jax.jit, static_argnames="n")
@jax.checkpoint
def wrapped(x: int, n: int) -> None: ...  # decorated


@p(jax.jit, static_argnames=NAMES + ("m",))
def summed(x: int, n: int, m: int) -> None: ...  # computed


def disagreeing(x: int, n: int) -> None: ...  # disagree


third, fourth = jax.jit(disagreeing, static_argnums=1), jax.jit(disagreeing)
"""


def migrated(project: Path, source: str, *arguments: str) -> str:
    """Returns what becomes of a file."""
    write(project, {"main.py": source})
    said = run(project, "migrate", "--write", *arguments)
    assert said.errors == "", said
    return (project / "main.py").read_text()


def test_the_documented_program_becomes_the_documented_one(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"main.py": BEFORE})
    shown = run(tmp_path, "migrate", cache)
    assert (tmp_path / "main.py").read_text() == BEFORE
    assert "+@jit(donate_argnums=0)\n" in shown.out and shown.code == 1
    assert migrated(tmp_path, BEFORE, cache) == AFTER
    again = run(tmp_path, "migrate", cache)
    assert (again.out, again.code) == ("Would change 0 functions in 0 files; --write does it\n", 0)


def test_every_spelling_is_read_and_what_is_left_has_a_reason(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"main.py": SPELLINGS})
    report = json.loads(run(tmp_path, "migrate", cache, "--format=json").out)
    became = {one["function"]: ", ".join(one["static"]) for one in report["changed"]}
    became |= {one["function"]: one["reason"] for one in report["left"]}
    expected = re.findall(r"^ *def (\w+)\(.*# ([\w-]+(?:, \w+)*)$", SPELLINGS, re.MULTILINE)
    assert {name.rpartition(".")[2]: what for name, what in became.items()} == dict(expected)
