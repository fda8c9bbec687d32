"""Every `run` block is a claim about JAX: it must run to its end."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.rules.alone import alone
from tests.rules.cases import CASE_FOLDERS, Program, State, load_programs, read_blocks
from tests.rules.tree import write


def is_thorough(program: Program) -> bool:
    """Returns whether `make test` skips it: the pages of the rules prove the same faults, one by one."""
    return program.is_guide or not program.id.startswith("docs/")


RUN = [
    pytest.param(
        state,
        name,
        id=f"{program.id}-step{step}-{name}",
        marks=[pytest.mark.thorough] if is_thorough(program) else [],
    )
    for program in load_programs()
    for step, state in enumerate(program.states, 1)
    for name, module in state.items()
    if module.runs
]


@pytest.mark.parametrize(("state", "name"), RUN)
def test_the_program_shows_what_its_page_claims(state: State, name: str, tmp_path: Path) -> None:
    write(tmp_path, {path: module.text for path, module in state.items()})
    with alone(tmp_path, state):
        program = importlib.import_module(name.removesuffix(".py").replace("/", "."))
    assert program.__file__ == str(tmp_path / name)


CLAIMS = ("assert ", "raise AssertionError", "pytest.raises(")


def test_a_program_that_runs_claims_something() -> None:
    blocks = [block for folder in CASE_FOLDERS for path in folder.glob("*.md") for _, block in read_blocks(path)]
    run = [block for block in blocks if block.language == "python" and "run" in block.flags]
    assert run
    others = [block for block in run if "good" not in block.flags]  # a good program claims that nothing raises
    assert [block.place for block in others if not any(claim in block.text for claim in CLAIMS)] == []
