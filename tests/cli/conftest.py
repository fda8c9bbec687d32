"""A project with a few faults, and the cache that the projects of these tests share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.running import WITH_JAX, write

SOLVER = """\
from dataclasses import dataclass


@dataclass
class Solver:
    dt: float
"""
STEPS = """\
from app.solver import Solver
from jaxtyped_static import Static, jit


@jit
def first(y: int, solver: Static[Solver]) -> int:
    return y


@jit
def second(y: int, solver: Static[Solver], sizes: Static[list[int]]) -> int:
    return [y]
"""


@pytest.fixture(scope="session")
def cache_of_all(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def cache(cache_of_all: Path) -> Iterator[str]:
    """The option for a cache that has analysed the standard library, and the jax of a few lines."""
    yield f"--cache-dir={cache_of_all}"
    assert not has_real_jax(cache_of_all), (
        "a project of this file sees the real JAX: it needs CONFIG, or the other cache"
    )


@pytest.fixture(scope="session")
def cache_with_jax(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same for projects that see the real JAX: where both share one, mypy reads parts of each again every time."""
    return f"--cache-dir={tmp_path_factory.mktemp(WITH_JAX)}"


def has_real_jax(cache: Path) -> bool:
    """Whether mypy has read the real `jax`, which alone imports this module, into its cache."""
    return any(_has(file, "jax/_src/environment_info.meta%") for file in cache.glob("mypy/3.*/cache.*.db"))


def _has(database: Path, name: str) -> bool:
    with closing(sqlite3.connect(database)) as rows:
        return rows.execute("SELECT 1 FROM files2 WHERE path LIKE ? LIMIT 1", (name,)).fetchone() is not None


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path, {"app/__init__.py": "", "app/solver.py": SOLVER, "app/steps.py": STEPS})
