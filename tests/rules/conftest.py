"""One rig for the session: the programs of the selected tests, checked together."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.conftest import shared_folder
from tests.rules.cases import Program
from tests.rules.rig import Rig


@pytest.fixture(scope="session")
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    wanted = list(_wanted(request.session.items))
    programs = {program.id: program for program, _ in wanted}
    rig = Rig(shared_folder() / "rules", tuple(programs.values()))
    is_worker = hasattr(request.config, "workerinput")
    executor = ThreadPoolExecutor(1 if is_worker else os.cpu_count())
    rig.start(wanted, executor)
    yield rig
    executor.shutdown(cancel_futures=True)


def _wanted(items: list[pytest.Item]) -> Iterator[tuple[Program, str]]:
    for item in items:
        parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        program, mode = parameters.get("program"), parameters.get("mode")
        if isinstance(program, Program) and isinstance(mode, str):
            yield program, mode
