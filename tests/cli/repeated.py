"""A library of which two functions compile something, and what `check` says runs them again and again."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import CONFIG, run

LIBRARY = """\
import jax


def fit(y: jax.Array, k: float) -> jax.Array:
    def step(x: jax.Array) -> jax.Array:
        return x * k

    return jax.jit(step)(y)


class Solver:
    def solve(self, y: jax.Array, k: float) -> jax.Array:
        return jax.jit(lambda x: x * k)(y)
"""
FIT, SOLVE = "lib.py:8", "lib.py:13"
PACKAGING = f"""\
{CONFIG}
[build-system]
requires = ["setuptools"]

[project]
name = "lib"

[tool.setuptools]
packages = ["pkg"]
py-modules = ["app", "lib", "train"]
"""
NOTHING_CALLS = "nothing in the project calls it, so users do"


def shown(project: Path, cache: str, *flags: str) -> dict[str, str | None]:
    """What runs each function again that compiles something, by its place, in a project that others install."""
    (project / "pyproject.toml").write_text(PACKAGING)
    said = run(project, "check", cache, "--format=json", "--select=jit-retrace", *flags)
    found = json.loads(said.out)["findings"]
    for one in found:
        assert [note for note in one["notes"] if "again and again" in note] == [
            evidence["text"] for evidence in one["evidence"]
        ]
    notes = {f"{one['path']}:{one['line']}": " ".join(one["notes"]) for one in found}
    return {place: said.partition("again and again: ")[2] for place, said in notes.items()}
