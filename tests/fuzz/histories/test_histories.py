"""A few fixed histories agree in every mode. `make fuzz` runs others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path

import pytest

from tests.fuzz.histories.checking import Bench
from tests.fuzz.histories.disagreements import disagreements
from tests.fuzz.histories.kind import PLAIN, PLUGIN, cases
from tests.fuzz.histories.model import History, Program
from tests.fuzz.histories.rendering import files_of
from tests.fuzz.histories.shrinking import shrunk

FORGETFUL_PLUGIN = str(Path(__file__).with_name("forgetful_plugin.py"))
SEED = 4  # its first histories all have the same settings


@pytest.fixture
def benches(tmp_path: Path) -> Iterator[dict[str, Bench]]:
    plugins = {"plain": PLAIN, "checker": PLUGIN, "forgetful": FORGETFUL_PLUGIN}
    with ExitStack() as stack:
        yield {name: stack.enter_context(closing(Bench(tmp_path / name, loaded))) for name, loaded in plugins.items()}


def histories(count: int, states: int) -> list[History]:
    return [case.history[:states] for case in islice(cases(SEED), count)]


@pytest.mark.thorough
def test_edited_programs_get_the_same_answers_again_and_from_the_daemon(benches: dict[str, Bench]) -> None:
    found = disagreements(histories(3, 3), benches["checker"], benches["plain"], ["incremental", "daemon"])
    assert [one.details for one in found] == []


@pytest.mark.thorough
def test_a_checker_that_forgets_dependencies_is_found(benches: dict[str, Bench]) -> None:
    assert list(disagreements(histories(30, 3), benches["forgetful"], benches["plain"], ["daemon"]))


def test_a_failure_is_shrunk_to_the_edit_that_makes_it() -> None:
    (history,) = histories(1, 6)

    def fails(some: Sequence[History]) -> list[bool]:
        return ["@jit" in texts(one[0]) and "@jit" not in texts(one[-1]) for one in some]

    smallest = shrunk((*history, Program(())), fails)
    assert len(smallest) == 2
    assert [len(program.modules) for program in smallest] == [1, 0]


def texts(program: Program) -> str:
    return "".join(files_of(program).values())
