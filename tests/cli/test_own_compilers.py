"""What only functions call that a compiler of the program's own decorates is a part of what these compile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")

COMPILERS = """\
import functools

import jax


def typed(f, **options):
    return functools.update_wrapper(jax.jit(f, **options), f)


def named(f):
    @functools.wraps(f)
    def wrapper(*args):
        return f(*args)

    return wrapper
"""
HELPER = """\
import jax


def merge(xs):
    @jax.jit
    def inner(x):
        return x + 1

    return inner(xs)
"""
MAIN = """\
from functools import partial

from compilers import named, typed
from helper import merge


{decorator}
def render(x):
    return merge(x)


for x in range(3):
    render(x)
"""


def found(project: Path, decorator: str) -> list[tuple[str, str]]:
    write(project, {"compilers.py": COMPILERS, "helper.py": HELPER, "runs.py": MAIN.format(decorator=decorator)})
    said = json.loads(run(project, "check", "--format=json", "--select=jit-retrace", "--potential").out)
    return [(one["path"], one["harm"]) for one in said["findings"]]


@pytest.mark.parametrize("decorator", ["@typed", "@partial(typed, inline=True)", "@typed\n@named"])
def test_a_compiler_of_the_program_compiles_what_it_decorates(tmp_path: Path, decorator: str) -> None:
    assert found(tmp_path, decorator) == []


def test_a_decorator_that_compiles_nothing_leaves_it_to_the_callers(tmp_path: Path) -> None:
    assert found(tmp_path, "@named") == [("helper.py", "recompiles")]
