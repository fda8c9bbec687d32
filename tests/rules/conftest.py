"""One rig for the session: the programs of the selected tests, checked together."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.conftest import shared_folder
from tests.rules.cases import Program
from tests.rules.modes import MODES
from tests.rules.rig import Rig

_RIG = pytest.StashKey[Rig]()
_EXECUTOR = pytest.StashKey[ThreadPoolExecutor]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts tests that wait for mypy last."""
    items.sort(key=lambda item: bool(list(_wanted([item]))))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Starts mypy at once, while other tests run."""
    if session.config.option.collectonly:
        return
    programs: dict[str, Program] = {}
    asked: dict[str, set[str]] = {mode: set() for mode in MODES}
    for program, mode in _wanted(session.items):
        programs[program.id] = program
        asked[mode].add(program.id)
    rig = Rig(shared_folder() / "rules", tuple(programs.values()), asked=asked)
    is_worker = hasattr(session.config, "workerinput")
    executor = ThreadPoolExecutor(1 if is_worker else os.cpu_count())
    rig.start(executor)
    session.config.stash[_RIG], session.config.stash[_EXECUTOR] = rig, executor


def pytest_sessionfinish(session: pytest.Session) -> None:
    if executor := session.config.stash.get(_EXECUTOR, None):
        executor.shutdown(cancel_futures=True)


@pytest.fixture(scope="session")
def rig(pytestconfig: pytest.Config) -> Rig:
    return pytestconfig.stash[_RIG]


def _wanted(items: list[pytest.Item]) -> Iterator[tuple[Program, str]]:
    for item in items:
        parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        program, mode = parameters.get("program"), parameters.get("mode")
        if isinstance(program, Program) and isinstance(mode, str):
            yield program, mode
