"""`check` reports arguments that a compiled function does not take, as it shows no `call-arg` of mypy."""

from pathlib import Path

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

PROGRAM = """\
import jax
from jaxtyped_static import jit


@jit
def step(x: jax.Array, scale: float = 1.0) -> jax.Array:
    return x


def run(x: jax.Array) -> jax.Array:
    return step(x, factor=2.0) + step(x, scale=2.0)
"""


def test_an_unknown_keyword_is_found(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"main.py": PROGRAM})
    found = findings_of(tmp_path, cache)
    assert [(one["code"], one["line"], one["harm"]) for one in found] == [("jax-call", 11, "raises")]
