"""Every case, in every mode."""

from __future__ import annotations

import pytest

from tests.rules.cases import Program, load_programs
from tests.rules.modes import MODES
from tests.rules.rig import Rig

CHECKED = [program for program in load_programs() if program.is_checked]


@pytest.mark.parametrize(
    ("program", "mode"),
    [
        pytest.param(program, mode, id=f"{program.id}-{mode}")
        for program in CHECKED
        for mode in MODES
        if MODES[mode].is_for(program)
    ],
)
def test_the_checker_says_what_the_case_marks(program: Program, mode: str, rig: Rig) -> None:
    if problems := rig.problems(program, mode):
        pytest.fail("\n".join([program.states[0][program.entry].place, *problems]), pytrace=False)
