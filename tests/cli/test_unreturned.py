"""A call that raises returns nothing that a statement could drop: one cause, one finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of

pytestmark = pytest.mark.xdist_group("light")

PROGRAM = """\
import jax
import jax.numpy as jnp


def clipped(x: jax.Array) -> jax.Array:
    jnp.clip(x, a_min=0)
    jnp.clip(x, 0)
    jnp.round(
        x,
        decimal=3,
    )
    x.at[0].set(jax.tree_map(abs, x))
    jnp.clip(x, 1), jnp.clip(x, a_min=1)
    return jnp.clip(x, a_min=1)
"""


@pytest.mark.thorough
def test_what_raises_is_not_dropped_too(tmp_path: Path, cache_with_jax: str) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'app'\n")
    (tmp_path / "main.py").write_text(PROGRAM)
    found = [(finding["line"], finding["code"]) for finding in findings_of(tmp_path, cache_with_jax, "main.py")]
    assert sorted(found) == [
        (6, "jax-removed"),  # and on lines 13 and 14
        (7, "jit-mutation"),
        (10, "jax-missing"),
        (12, "jax-removed"),
    ]
