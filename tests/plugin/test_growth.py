"""The plugin's work grows in proportion to the program, in every construct that it analyses.

Work is counted in calls of Python functions; `benchmarks/growth.py` measures time.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.growth_programs import DEEP, DOUBLING, FAMILIES, HEAD, Source
from tests.conftest import shared_folder
from tests.fuzz.histories.checking import STUBS
from tests.plugin import counting_plugin
from tests.plugin.running import LIGHT, Said, elsewhere, mypy_here

# mypy itself does not finish with forty of these; the plugin's work grows by 2.64 from eight to sixteen.
SLOWER_IN_MYPY = ("alias_that_recurs",)
FEW = 2_000  # calls: below that, the fixed work per program dominates


def calls(folder: Path, sources: Mapping[str, Source], size: int) -> dict[str, int]:
    """Returns how many calls the plugin makes for each program; one run of mypy checks them all."""
    files = {name: folder / f"{name}_{size}.py" for name in sources}
    for name, file in files.items():
        file.write_text(f"{HEAD}{sources[name](size)}")
    settings = {
        "plugins": counting_plugin.__file__,
        "cache_dir": shared_folder() / "growth-cache",
        # A jax of a few modules under the real names; mypy takes longer for the real one than for all the programs.
        "mypy_path": f"{STUBS}:{LIGHT}",
    }
    configuration = folder / "mypy.ini"
    configuration.write_text("\n".join(["[mypy]", *(f"{key} = {value}" for key, value in settings.items())]))
    options = ("--config-file", str(configuration), "--python-version", "3.12")
    said, counts = elsewhere(counted, [*options, *map(str, files.values())])
    assert not said.errors and "could not check" not in said.out, said
    return {name: counts[file.stem] for name, file in files.items()}


def counted(arguments: list[str]) -> tuple[Said, Counter[str]]:
    """Returns mypy's output, and the calls for each module."""
    said = mypy_here(arguments)
    return said, sys.modules["counting_plugin"].CALLS  # as mypy has imported it


def growth(folder: Path, sources: Mapping[str, Source], sizes: tuple[int, int]) -> dict[str, float]:
    """Returns the factor by which the work grows from one size to the next, if there is enough of it."""
    small, large = (calls(folder, sources, size) for size in sizes)
    assert sum(count > 0 for count in large.values()) > 0.9 * len(large)  # some programs have nothing to analyse
    return {name: count / max(small[name], FEW / 2) for name, count in large.items() if count > FEW}


@pytest.mark.thorough
def test_work_grows_in_proportion_to_the_program(tmp_path: Path) -> None:
    families = {name: source for name, source in FAMILIES.items() if name not in SLOWER_IN_MYPY}
    found = growth(tmp_path, families, (8, 16))
    assert {name: factor for name, factor in found.items() if factor > 2.6} == {}


def test_work_does_not_double_with_each_level(tmp_path: Path) -> None:
    """Work that doubles with each level grows at least by 32 over five levels."""
    families = {name: source for name, source in DEEP.items() if name not in DOUBLING}
    found = growth(tmp_path, families, (5, 10))
    assert {name: factor for name, factor in found.items() if factor > 6} == {}
