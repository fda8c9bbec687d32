"""In whatever order the programs of a daemon take their turns, each goes through all of its states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, pairwise

import pytest

from tests.rules import layout
from tests.rules.cases import load_programs
from tests.rules.configuration import Numbered
from tests.rules.layout import Placement, Visit, back_and_forth, back_and_forth_served, in_turns

_CASES = [program for program in load_programs() if program.is_checked]
PROGRAMS = list(enumerate([*_CASES[:20], *[program for program in _CASES if len(program.states) > 2][:3]]))


@pytest.fixture(params=[in_turns, back_and_forth_served])
def visits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[Visit]:
    monkeypatch.setattr(layout, "_AT_A_TIME", 4)
    plan: Callable[[Sequence[Numbered]], list[Visit]] = request.param
    return plan(PROGRAMS)


@pytest.mark.parametrize("number", [number for number, _ in PROGRAMS])
def test_a_program_goes_through_all_its_states(visits: list[Visit], number: int) -> None:
    found = [(at, one) for at, visit in enumerate(visits) for one in visit if one.number == number]
    assert [at for at, _ in found] == list(range(found[0][0], found[-1][0] + 1))  # it never comes again
    alone = [placement for (placement,) in back_and_forth([PROGRAMS[number]])]
    assert _steps(one for _, one in found) == _steps(alone)


def test_nothing_else_happens_when_a_program_goes(visits: list[Visit]) -> None:
    going = [(before, after) for before, after in pairwise(visits) if len(after) < len(before)]
    assert len(going) > 1 and all(placement in before for before, after in going for placement in after)


def _steps(placements: Iterable[Placement]) -> list[tuple[int, bool]]:
    return [step for step, _ in groupby((placement.state, placement.touched) for placement in placements)]
