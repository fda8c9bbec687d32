"""Programs in which something goes wrong is found, and similar ones in which it does not: those of the Markdown pages.

Those of one theme are checked together. `order` changes what JAX has compiled in; `weak` feeds weak types back to
compiled code.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.cli import right_and_wrong
from tests.cli.right_and_wrong import Program

pytestmark = pytest.mark.xdist_group("light")

THEMES: Final = {
    "order": right_and_wrong.read("order.md", "order-variables.md"),
    "weak": right_and_wrong.read("weak-states.md", "weak-right.md"),
}


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], set[str]]:
    """The programs of a theme about which `check` says something."""
    return cache(lambda theme: right_and_wrong.reported(THEMES[theme], tmp_path_factory.mktemp(theme)))


@pytest.mark.parametrize(
    ("theme", "program"),
    [
        pytest.param(theme, program, id=f"{theme}-{program.name}")
        for theme, programs in THEMES.items()
        for program in programs
    ],
)
def test_what_goes_wrong_is_found_and_nothing_else(
    theme: str, program: Program, reported: Callable[[str], set[str]]
) -> None:
    assert (program.name in reported(theme)) is program.is_wrong


@pytest.mark.parametrize("programs", THEMES.values(), ids=THEMES)
def test_the_programs_do_what_the_page_says(programs: list[Program], tmp_path: Path) -> None:
    ran = right_and_wrong.run_all(programs, tmp_path)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("programs", THEMES.values(), ids=THEMES)
def test_names_are_unique(programs: list[Program]) -> None:
    assert len({program.name for program in programs}) == len(programs)
