"""Whole programs with the mistakes that people make: each is mended by what `jaxtyped-static check` prints, alone."""

from __future__ import annotations

import re
import runpy
import sys
import traceback
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.running import run, write
from tests.rules.alone import alone

PAGES = sorted(Path(__file__).parent.glob("*-*.md"))
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RAISES = re.compile(r"^Raises `(.+)`\.$", re.MULTILINE)


class Step(NamedTuple):
    """A mistake: what the program raises before it is mended, what the command prints, and the correction."""

    raises: str | None
    prints: list[str]
    hunks: list[str]


def read(page: Path) -> tuple[str, list[Step]]:
    first, *rest = page.read_text(encoding="utf-8").split("\n## ")
    program = dict(FENCE.findall(first))["python"]
    return program, [_step(section) for section in rest]


def _step(section: str) -> Step:
    blocks = dict(FENCE.findall(section))
    raised = RAISES.search(section)
    return Step(raised[1] if raised else None, blocks["text"].splitlines(), blocks["diff"].split("@@\n"))


def corrected(program: str, hunks: list[str]) -> str:
    for hunk in hunks:
        old = "".join(f"{line[1:]}\n" for line in hunk.splitlines() if line[:1] in "- ").rstrip("\n")
        new = "".join(f"{line[1:]}\n" for line in hunk.splitlines() if line[:1] in "+ ").rstrip("\n")
        assert program.count(old) == 1, old
        program = program.replace(old, new)
    return program


def check(program: str, folder: Path) -> str:
    write(folder, {"program.py": program, "pyproject.toml": ""})
    said = run(folder, "check", f"--python={sys.executable}", "program.py")
    return f"{said.out}{said.errors}"


def raised(program: str, folder: Path) -> str:
    """The last line of a run's traceback under JAX; empty if it runs to its end, with the right numbers."""
    try:
        with alone(write(folder, {"program.py": program}), ["program.py"]), redirect_stdout(StringIO()):
            runpy.run_path(str(folder / "program.py"), run_name="__main__")
    except Exception as error:
        return "".join(traceback.format_exception_only(error))
    return ""


def flat(printed: str) -> str:
    """What is printed, with the problem and the help of a finding on one line."""
    lines = printed.splitlines()
    return "\n".join(_joined(lines))


def _joined(lines: list[str]) -> Iterator[str]:
    problem = ""
    for line in lines:
        text = line.strip()
        if re.match(r"[a-z]+-[a-z-]+: ", line):
            problem = line.replace(": ", " ", 1)
        elif text.startswith("= help: "):
            yield f"{problem}; {text.removeprefix('= help: ')}"
        elif text.startswith("= note: "):
            yield f"note: {text.removeprefix('= note: ')}"
        else:
            yield line


@pytest.mark.thorough
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_program_with_five_mistakes_runs_right_after_following_what_is_printed(page: Path, tmp_path: Path) -> None:
    program, steps = read(page)
    assert len(steps) >= 5
    for step in steps:
        printed = flat(check(program, tmp_path))
        assert [line for line in step.prints if line not in printed] == [], printed
        if step.raises is not None:
            assert step.raises in raised(program, tmp_path)
        program = corrected(program, step.hunks)
    assert raised(program, tmp_path) == ""
    assert "Nothing found." in check(program, tmp_path)
