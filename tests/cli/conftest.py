"""A project with a few faults, and the cache that the projects of these tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import write

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
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The option for a cache that has analysed the standard library."""
    return f"--cache-dir={tmp_path_factory.mktemp('cache')}"


@pytest.fixture(scope="session")
def cache_with_jax(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same for projects that see the real JAX: where both share one, mypy reads parts of each again every time."""
    return f"--cache-dir={tmp_path_factory.mktemp('cache_with_jax')}"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path, {"app/__init__.py": "", "app/solver.py": SOLVER, "app/steps.py": STEPS})
