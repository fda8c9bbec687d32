"""After an edit, a check does the work that the edit makes necessary, once, and never less."""

from __future__ import annotations

import os
import time
from pathlib import Path
from unittest import mock

import pytest

from jaxtyped_static_cli.fixes.running import find_fixes
from tests.cli.conftest import STEPS
from tests.cli.running import Said, run, run_here, write
from tests.plugin.running import elsewhere

pytestmark = pytest.mark.xdist_group("light")


def work(project: Path, cache: str, *arguments: str) -> tuple[Said, set[str], int]:
    """What the command says, which modules it analyses, and how often it looks for fixes."""
    return elsewhere(work_here, project, ("check", cache, *arguments))


def work_here(project: Path, arguments: tuple[str, ...]) -> tuple[Said, set[str], int]:
    read: set[str] = set()
    with (
        mock.patch("jaxtyped_static_cli.terminal.progress.Progress.read", lambda _, module: read.add(module)),
        mock.patch("jaxtyped_static_cli.fixes.running.find_fixes", side_effect=find_fixes) as found,
    ):
        said = run_here(project, arguments)
    return said, read, found.call_count


def test_an_edit_is_analysed_once(project: Path, cache: str) -> None:
    first, _, _ = work(project, cache)
    for number in range(3):
        with (project / "app/steps.py").open("a") as file:
            file.write(f"# {number}\n")
        said, read, _ = work(project, cache)
        assert read == {"app.steps"} and "Found 2 problems in 2 files" in said.out
        assert work(project, cache)[1:] == (set(), 0)
    assert "2 fixable with --fix." in first.out


def test_an_edit_within_a_tick_of_the_clock_that_keeps_the_size_is_seen(project: Path, cache: str) -> None:
    """The times of a file may then be those that it had when it was checked."""
    clean = STEPS.replace("sizes: Static[list[int]]", "sizes: Static[ int    ]")
    file = project / "app/steps.py"
    for text, count in ((STEPS, 2), (clean, 1)) * 3:
        now = time.time()
        file.write_text(text)
        os.utime(file, (now, now))
        assert f"Found {count} problem" in run(project, "check", cache).out


def test_an_edit_that_keeps_the_time_of_the_file_is_seen(project: Path, cache: str) -> None:
    """As `cp -p` and some tools that restore files do."""
    file = project / "app/steps.py"
    long_ago = (1e9, 1e9)
    os.utime(file, long_ago)
    assert "Found 2 problems" in run(project, "check", cache).out
    time.sleep(0.2)  # longer than a tick, so that the times are trusted
    assert "Found 2 problems" in run(project, "check", cache).out
    file.write_text(STEPS.replace("sizes: Static[list[int]]", "sizes: Static[ int    ]"))
    os.utime(file, long_ago)
    assert "Found 1 problem" in run(project, "check", cache).out


def test_a_module_that_is_only_imported_may_change_within_a_second_too(project: Path, cache: str) -> None:
    solver, steps = project / "app/solver.py", project / "app/steps.py"
    for dataclass, count in (("@dataclass              ", 2), ("@dataclass(frozen=True)", 1)) * 2:
        solver.write_text(f"from dataclasses import dataclass\n{dataclass.ljust(24)}\nclass Solver:\n    dt: float\n")
        said = run(project, "check", cache, str(steps))
        assert f"Found {count} problem" in said.out, said


def test_what_can_be_fixed_is_known_of_a_finding_that_only_moved(project: Path, cache: str) -> None:
    file = project / "app/steps.py"
    work(project, cache)
    file.write_text(f"# moved\n\n{STEPS}")
    said, _, looked = work(project, cache)
    assert "2 fixable with --fix." in said.out and looked == 0
    file.write_text(STEPS.replace("Static[list[int]]", "Static[set[int]]"))
    said, _, looked = work(project, cache)
    assert "2 fixable with --fix." in said.out and looked == 1


def test_programs_get_what_can_be_fixed_exactly(project: Path, cache: str) -> None:
    work(project, cache, "--format=json")
    (project / "app/other.py").write_text("def change(solver):\n    solver.dt = 2.0\n")
    said, _, looked = work(project, cache, "--format=json")
    assert looked == 1 and '"is_safe": false' in said.out


def test_a_damaged_memory_of_fixes_is_not_believed(project: Path, cache: str) -> None:
    sound, _, _ = work(project, cache)
    memory = Path(cache.partition("=")[2]) / "fixable.json"
    memory.write_text(memory.read_text().replace("frozen=True", "frozen=0"))
    said, _, looked = work(project, cache)
    assert looked == 1 and said.out.partition("Checked")[0] == sound.out.partition("Checked")[0]


def test_what_is_known_of_another_project_is_not_said_of_this_one(project: Path, cache: str, tmp_path: Path) -> None:
    """Two projects may use one cache: `--cache-dir`."""
    other = write(
        tmp_path / "other", {name: (project / name).read_text() for name in ("app/solver.py", "app/steps.py")}
    )
    work(project, cache)
    assert work(other, cache)[2] == 1
