"""`check --fix` mends a finding at each of its places."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyped_static_cli.editing.documents import Document
from jaxtyped_static_cli.editing.edits import Edit, edited, joined
from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")

CONDITIONS = """\
import jax
import jax.numpy as jnp


@jax.jit
def larger(x: jax.Array, y: jax.Array) -> jax.Array:
    if {function}(x, y) > 0:
        return x
    elif {function}(x, y) < -1:
        return y
    return x + y
"""
IN_LOOP = """\
from jaxtyped_static import jit


def steps(x: int) -> None:
    for i in range(3):
        y = jit(lambda a: abs(a))(x + i)
        jit(lambda b: abs(b))(y + i)
"""
BEFORE_LOOP = """\
from jaxtyped_static import jit


def steps(x: int) -> None:
    jitted = jit(lambda a: abs(a))
    jitted_2 = jit(lambda b: abs(b))
    for i in range(3):
        y = jitted(x + i)
        jitted_2(y + i)
"""


def fixed(folder: Path, text: str, *options: str) -> tuple[str, str]:
    """A program after fixes, and what is said of those that were not made."""
    write(folder, {"app/__init__.py": "from .steps import *\n", "app/steps.py": text})
    said = run(folder, "check", *options, "--fix")
    return (folder / "app/steps.py").read_text(), said.errors


@pytest.mark.thorough
def test_all_conditions_of_one_statement(tmp_path: Path, cache_with_jax: str) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'app'\n")
    (tmp_path / "main.py").write_text(CONDITIONS.format(function="max"))
    said = run(tmp_path, "check", cache_with_jax, "--fix", "main.py")
    assert (tmp_path / "main.py").read_text() == CONDITIONS.format(function="jnp.maximum")
    assert said.errors == "" and "This condition is traced" in said.out


@pytest.mark.thorough
def test_two_that_want_the_same_name_are_made_one_after_the_other(tmp_path: Path, cache: str) -> None:
    assert fixed(tmp_path, IN_LOOP, cache) == (BEFORE_LOOP, "")


def test_joined_edits_do_what_each_does() -> None:
    document = Document(b"a = 1\nb = 2\n")
    first, second = document.module.body
    swapped = [Edit({first: second}), Edit({second: first}, before={first: [second]})]
    assert edited(document, [joined(swapped)]) == edited(document, swapped)
