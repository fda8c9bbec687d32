"""A fault of the plugin itself is reported in one line that names the file, and the run continues."""

from pathlib import Path

import pytest

from tests.plugin.running import run_mypy

pytestmark = pytest.mark.xdist_group("light")

PROGRAM = """\
from jaxtyped_static import Static, jit

class Config:
    pass

@jit
def step(x: int, config: Static[Config]) -> int:
    return x

class Below(Config):
    size: Static[int]

step(1, Config())
wrong: int = "found all the same"
"""


@pytest.fixture(scope="module", autouse=True)
def libraries_are_in_the_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Fills the cache with the libraries, and what the plugin stores about their classes when nothing is broken."""
    run_mypy(tmp_path_factory.mktemp("sound"), PROGRAM)


@pytest.mark.parametrize(
    "function",
    [
        "reporting.contract.judge",
        "facts.class_facts._read_class",
        "markers.annotations._annotations",
        "judgement.judge._dispatch",
        "compat.mypy_api.lookup_fully_qualified",
        "hooks.call_sites._called_signature",
        "hooks.static_fields._static_fields",
    ],
)
def test_a_fault_is_a_note_and_mypy_goes_on(tmp_path: Path, function: str) -> None:
    out, _, status = run_mypy(tmp_path, PROGRAM, broken=f"jaxtyped_static_mypy.{function}")
    notes = [line for line in out.splitlines() if "jaxtyped_static could not check this" in line]
    assert notes and all("program.py:" in note and "unforeseen" in note for note in notes)
    assert "Incompatible types in assignment" in out
    assert status == 1
