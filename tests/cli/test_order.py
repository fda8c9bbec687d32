"""Programs that change what JAX has compiled in, and similar ones in which nothing goes wrong: those of `order*.md`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import right_and_wrong
from tests.cli.right_and_wrong import Program

pytestmark = pytest.mark.xdist_group("light")

PROGRAMS = right_and_wrong.read("order.md", "order-variables.md")


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    return right_and_wrong.reported(PROGRAMS, tmp_path_factory.mktemp("order"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_what_goes_wrong_is_found_and_nothing_else(program: Program, reported: set[str]) -> None:
    assert (program.name in reported) is program.is_wrong


def test_the_programs_do_what_the_page_says(tmp_path: Path) -> None:
    ran = right_and_wrong.run_all(PROGRAMS, tmp_path)
    assert ran.returncode == 0, ran.stderr


def test_names_are_unique() -> None:
    assert len({program.name for program in PROGRAMS}) == len(PROGRAMS)
