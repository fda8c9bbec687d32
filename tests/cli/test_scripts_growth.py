"""In a check of many scripts, each is followed only for compiled functions that its modules may call."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from unittest import mock

import pytest

from jaxtyped_static_cli.findings.order import rebinding
from jaxtyped_static_cli.findings.order.modules import Modules
from jaxtyped_static_cli.findings.order.names import Known
from jaxtyped_static_cli.findings.order.variables import Place, Shared, places_stale
from tests.cli.right_and_wrong import read
from tests.cli.running import run_here, write
from tests.plugin.running import elsewhere

pytestmark = pytest.mark.xdist_group("light")

PROGRAM = "looped_"  # its modules begin so


def scripts(folder: Path, count: int) -> Path:
    """A project with copies of the first program of `order-variables.md` under other names."""
    copied = read("order-variables.md")[0]
    copies = {
        f"copy{number}_{Path(path).name}": text.replace(PROGRAM, f"copy{number}_{PROGRAM}")
        for number in range(count)
        for path, text in copied.files.items()
    }
    return write(folder / str(count), copies)


def started(project: Path, cache: str) -> int:
    """Returns how often a check follows what starts a program."""
    found = 0

    def counted(shared: Shared, modules: Modules, starts: Iterable[Known]) -> list[Place]:
        nonlocal found
        starts = list(starts)
        found += len(starts)
        return places_stale(shared, modules, starts)

    with mock.patch.object(rebinding, "places_stale", counted):
        said = run_here(project, ("check", cache))
    assert "keeps the value" in said.out, said
    return found


def test_each_is_followed_for_its_own_modules_alone(tmp_path: Path, cache: str) -> None:
    few, many = (elsewhere(started, scripts(tmp_path, count), cache) for count in (2, 4))
    assert many == 2 * few > 0
