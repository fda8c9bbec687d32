"""Every case, in every mode."""

from __future__ import annotations

from collections.abc import Iterator

import jax
import pytest
from packaging.version import Version

from tests.rules.cases import Program, load_programs
from tests.rules.configuration import switches_of
from tests.rules.layout import apart, back_and_forth, back_and_forth_served, in_turns, side_by_side_touched
from tests.rules.modes import COLD, MODES, Mode
from tests.rules.rig import NotJudged, Rig

_WITH_SWITCHES = [MODES[name] for name in (COLD, "warm", "edited")]


def is_thorough(mode: Mode, program: Program) -> bool:
    """Returns whether `make test` skips it; README.md gives the reasons."""
    if program.is_guide:
        return mode is not MODES[COLD]
    switches = switches_of(program)
    if switches - {"strict", "potential"} or (switches and mode not in _WITH_SWITCHES):
        return True  # jax is analysed, or read from the cache, for few cases
    if mode.plan in (side_by_side_touched, apart):
        return not program.id.startswith("docs/")
    if mode.plan not in (back_and_forth, back_and_forth_served, in_turns):
        return False
    if len(program.states) > 2 or not mode.starts_from_cache:
        return True
    has_parts = len(program.states) > 1 or len(program.states[0]) > 1
    return not has_parts and not program.id.startswith("docs/")


def marks_of(program: Program, mode: Mode) -> Iterator[pytest.MarkDecorator]:
    if is_thorough(mode, program):
        yield pytest.mark.thorough
    if Version(program.jax or "0") > Version(jax.__version__):
        yield pytest.mark.skip(f"what it uses came with JAX {program.jax}")


CASES = [
    pytest.param(program, name, id=f"{program.id}-{name}", marks=list(marks_of(program, mode)))
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
