"""A cold run that was kept is taken for the same programs alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules import kept
from tests.rules.cases import Program, load_programs
from tests.rules.modes import COLD, Group, Outcome

FIRST, SECOND = (program for program in load_programs()[:2])
KEPT = Outcome(broken_off="as it was")


def group(folder: Path, *programs: Program) -> Group:
    return Group(folder, tuple(enumerate(programs)))


def keep(folder: Path, *programs: Program) -> None:
    made = group(folder, *programs)
    made.cache_of(COLD).mkdir(parents=True)
    (made.cache_of(COLD) / "entry").touch()
    kept.keep(made, KEPT)


@pytest.fixture
def is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAXTYPED_STATIC_COLD_RUNS", str(tmp_path / "kept"))


@pytest.mark.usefixtures("is_kept")
def test_it_is_taken_with_its_cache(tmp_path: Path) -> None:
    keep(tmp_path / "made", FIRST, SECOND)
    again = group(tmp_path / "again", FIRST, SECOND)
    assert kept.take(again) == KEPT and (again.cache_of(COLD) / "entry").exists()


@pytest.mark.usefixtures("is_kept")
@pytest.mark.parametrize("programs", [(FIRST,), (SECOND, FIRST)])
def test_it_is_not_taken_for_others(tmp_path: Path, programs: tuple[Program, ...]) -> None:
    keep(tmp_path / "made", FIRST, SECOND)
    assert kept.take(group(tmp_path / "again", *programs)) is None


@pytest.mark.usefixtures("is_kept")
def test_it_is_not_taken_after_an_edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(tmp_path / "made", FIRST)
    edited = tmp_path / "tests" / "edited.py"
    edited.parent.mkdir()
    edited.touch()
    monkeypatch.setattr(kept, "ROOT", tmp_path)
    assert kept.take(group(tmp_path / "again", FIRST)) is None


def test_none_is_kept_where_nobody_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAXTYPED_STATIC_COLD_RUNS", raising=False)
    keep(tmp_path / "made", FIRST)
    assert kept.take(group(tmp_path / "again", FIRST)) is None
