"""What `--fix` and `migrate --write` do changes no program that is right: it prints the same before and after."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.before_and_after import difference, read, run_program
from tests.cli.right_programs import PROGRAMS as SEEN
from tests.cli.running import findings_of, run, write
from tests.cli.unseen_programs import UNSEEN

pytestmark = pytest.mark.xdist_group("light")

PROGRAMS = {**SEEN, **UNSEEN}
# A few for every run.
QUICK = (
    "frozen: setattr of a name",
    "tuple: item",
    "loop: global",
    "callable: module",
    "misdeclared: imported as",
)
# Nothing in these programs minds the fix, so it is safe.
FIXED = {
    *(f"frozen: {name}" for name in ("dict of attributes", "past the class", "copies", "key", "nothing")),
    "frozen: hash of another class",
    "sees: namespace that is read",
    *(f"sees: {name}" for name in ("patch of another name", "setattr of another name", "patch of a plot")),
    *(f"{kind}: constant" for kind in ("loop", "function", "callable", "applying")),
}
# A method of a derived class, or a function that the program gives the object, assigns to it for sure: the class is not
# offered to be frozen at all.
NOT_OFFERED = {
    *(f"frozen: {name}" for name in ("derived, imported as", "derived, assigned")),
    *(f"frozen: {name}" for name in ("assignment", "alias", "another attribute", "deletion")),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.thorough) for name in PROGRAMS]
)
def test_a_safe_fix_changes_no_right_program(name: str, tmp_path: Path, cache: str) -> None:
    before = PROGRAMS[name]
    project = write(tmp_path / "project", before)
    left = findings_of(project, cache, "--fix")
    after = read(project)
    if after != before:
        assert run_program(before, tmp_path / "runs").raised == ()
        assert difference(before, after, tmp_path / "runs") == ""
    assert (after != before) == (name in FIXED)
    assert len(left) == (name not in FIXED)
    assert all(one["fix"] is None if name in NOT_OFFERED else one["fix"]["unsafe_because"] for one in left)


def test_the_reason_is_shown(tmp_path: Path, cache: str) -> None:
    project = write(tmp_path, PROGRAMS["frozen: setattr of a name"])
    reason = 'util.py:3 uses setattr on what may be a "Solver"'
    shown = " ".join(run(project, "check", cache).out.split())
    assert f"= unsafe fix: {reason} = where" in shown
    assert "1 fixable with --fix --unsafe-fixes." in shown
    diff = run(project, "check", cache, "--diff")
    assert diff.errors == f"main.py:10: static-mutable: only with --unsafe-fixes: {reason}\nNothing to change.\n"
