"""Properties of the libraries' classes that need a special mypy configuration to show."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyped_static_mypy import libraries
from jaxtyped_static_mypy.knowledge.full_names import KNOWN_PACKAGES
from tests.plugin.running import run_mypy

pytestmark = pytest.mark.xdist_group("light")

MARKED = """
from typing import Annotated, Final
from pydantic import BaseModel

JAX_STATIC: Final[str] = "_pydantic_jax_static_field"

class Model(BaseModel):
    xs: Annotated[list[int], JAX_STATIC]
    ys: Annotated[list[int], "_pydantic_jax_static_field"]
    zs: Annotated[list[int], "other"]
"""
MODELS = """
import jax
from pydantic import BaseModel, PrivateAttr

class Base(BaseModel):
    pass

class Frozen(Base, frozen=True):
    n: int
    xs: list[int]
    _cache: dict[str, int] = PrivateAttr(default_factory=dict)

class Loose(Base):
    n: int
"""


@pytest.mark.parametrize(
    "marker", ["_pydantic_jax_static_field", pytest.param("program.JAX_STATIC", marks=pytest.mark.thorough)]
)
def test_a_static_marker_can_be_a_string_in_annotated(tmp_path: Path, marker: str) -> None:
    out = run_mypy(tmp_path, MARKED, f"[jaxtyped_static]\nstatic_markers = {marker}\n").out
    found = [line.split(":")[1] for line in out.splitlines() if "[static-mutable]" in line]
    assert found == (["8", "9"] if marker.startswith("_") else ["8"])


@pytest.mark.thorough
def test_the_answers_are_the_same_with_pydantics_plugin(tmp_path: Path) -> None:
    settings = "[jaxtyped_static]\nstatic_bases = program.Base\n"
    beside = run_mypy(tmp_path, MODELS, settings, plugins="jaxtyped_static_mypy, pydantic.mypy").out
    alone = run_mypy(tmp_path, MODELS, settings).out
    found = [line for line in alone.splitlines() if "[static-" in line]
    assert found == [line for line in beside.splitlines() if "[static-" in line]
    assert ['"xs"' in line or "Loose is not frozen" in line for line in found] == [True, True]


def test_the_source_of_a_library_with_a_file_is_not_read() -> None:
    names = libraries.PYTREE_DECORATORS | libraries.STATIC_DECORATORS | libraries.STATIC_SPECIFIERS
    assert {name.partition(".")[0] for name in names} <= KNOWN_PACKAGES
