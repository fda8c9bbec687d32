"""Every case, in every mode."""

from __future__ import annotations

import pytest

from tests.rules.cases import Program, load_programs
from tests.rules.modes import MODES
from tests.rules.rig import NotJudged, Rig

CASES = [
    pytest.param(program, name, id=f"{program.id}-{name}")
    for program in load_programs()
    if program.is_checked
    for name, mode in MODES.items()
    if mode.is_for(program)
]


@pytest.mark.parametrize(("program", "mode"), CASES)
def test_the_checker_says_what_the_case_marks(program: Program, mode: str, rig: Rig) -> None:
    try:
        problems = rig.problems(program, mode)
    except NotJudged as why:
        pytest.skip(str(why))
    if problems:
        pytest.fail("\n".join([program.states[0][program.entry].place, *problems]), pytrace=False)
