"""A few fixed cases of each kind. `make fuzz` runs others, as many as there is time for."""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path

import pytest

from tests.conftest import shared_folder
from tests.fuzz.__main__ import KINDS
from tests.fuzz.histories.checking import STUBS
from tests.plugin.running import LIGHT

pytestmark = pytest.mark.xdist_group("fuzz")

SEED = 0
THOROUGH = ("histories", "texts")


@pytest.fixture(scope="module")
def folder() -> Path:
    """Returns a folder with small libraries: mypy takes longer for the real ones than for all of the cases."""
    folder = shared_folder() / "fuzz"
    shutil.copytree(STUBS, folder / "programs" / "libraries")
    shutil.copytree(LIGHT / "numpy", folder / "programs" / "libraries" / "numpy")
    return folder


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough) if name in THOROUGH else name for name in KINDS]
)
def test_nothing_crashes_the_checker(name: str, folder: Path) -> None:
    kind = KINDS[name]
    cases = list(islice(kind.cases(SEED), kind.in_tests or kind.together))
    failures = list(kind.run(cases, folder))
    assert [f"{failure.case}: {failure.cause}" for failure in failures] == []


@pytest.mark.parametrize("name", KINDS)
def test_a_seed_makes_the_same_cases_each_time(name: str) -> None:
    kind = KINDS[name]
    assert list(islice(kind.cases(SEED), 3)) == list(islice(kind.cases(SEED), 3))
