"""Every `run` block is a claim about JAX: it must run to its end."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import jax
import pytest

from tests.rules.cases import CASE_FOLDERS, State, load_programs, read_blocks
from tests.rules.tree import write

# The pages of the rules prove the same faults, one by one.
THOROUGH = pytest.mark.thorough

RUN = [
    pytest.param(state, name, id=f"{program.id}-step{step}-{name}", marks=THOROUGH if program.is_guide else ())
    for program in load_programs()
    for step, state in enumerate(program.states, 1)
    for name, module in state.items()
    if module.runs
]


@pytest.mark.parametrize(("state", "name"), RUN)
def test_the_program_shows_what_its_page_claims(state: State, name: str, tmp_path: Path) -> None:
    write(tmp_path, {path: module.text for path, module in state.items()})
    with _alone(tmp_path, state):
        program = importlib.import_module(name.removesuffix(".py").replace("/", "."))
    assert program.__file__ == str(tmp_path / name)


@contextmanager
def _alone(folder: Path, state: State) -> Iterator[None]:
    """A clean context: the folder first on the import path, no programs of earlier cases, no module left behind."""
    own = {path.partition("/")[0].removesuffix(".py") for path in state}
    before = dict(sys.modules)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    for name in _belonging(own):
        del sys.modules[name]
    jax.clear_caches()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in _belonging(own):
            del sys.modules[name]
        sys.modules.update({name: module for name, module in before.items() if name not in sys.modules})


def _belonging(own: set[str]) -> list[str]:
    return [name for name in sys.modules if name.partition(".")[0] in own]


CLAIMS = ("assert ", "raise AssertionError", "pytest.raises(")


def test_a_program_that_runs_claims_something() -> None:
    blocks = [block for folder in CASE_FOLDERS for path in folder.glob("*.md") for _, block in read_blocks(path)]
    run = [block for block in blocks if block.language == "python" and "run" in block.flags]
    assert run
    others = [block for block in run if "good" not in block.flags]  # a good program claims that nothing raises
    assert [block.place for block in others if not any(claim in block.text for claim in CLAIMS)] == []
