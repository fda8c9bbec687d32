"""The work to find out what can be fixed grows in proportion to a program; `benchmarks/fixable.py` measures time."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import pytest

from benchmarks import fixable
from jaxtyped_static_cli.fixes import running
from tests.plugin.running import elsewhere

pytestmark = pytest.mark.xdist_group("light")

FINDINGS = (10, 20, 40)


def calls(folder: Path, cache: str) -> int:
    """Returns how many functions are called to find out what can be fixed, those of LibCST included."""
    count = 0
    original = running.find_fixes

    def counted(*arguments: object) -> object:
        def on_event(frame: FrameType, event: str, argument: object) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(on_event)
        try:
            return original(*arguments)  # type: ignore[arg-type]
        finally:
            sys.setprofile(None)

    running.find_fixes = counted  # type: ignore[assignment]
    try:
        fixable.measure(folder, cache)
    finally:
        running.find_fixes = original
    return count


@pytest.mark.thorough
@pytest.mark.parametrize("in_files", [False, True], ids=["one file", "many files"])
def test_the_work_grows_in_proportion_to_the_program(tmp_path: Path, cache: str, *, in_files: bool) -> None:
    found = []
    for size in FINDINGS:
        folder = tmp_path / str(size)
        folder.mkdir()
        fixable.write_program(folder, size, step=5 if in_files else size)
        found.append(elsewhere(calls, folder, cache))
    # What is done once shrinks the first difference; quadratic work would double from one difference to the next.
    first, second = found[1] - found[0], found[2] - found[1]
    assert second < 2.5 * first, found
