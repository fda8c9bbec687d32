"""For every program in docs/working-around-mypy.md, mypy prints what the page says."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.rules.cases import ROOT, Block, read_blocks

PAGE = ROOT / "docs" / "working-around-mypy.md"
CONFIGURATION = "[mypy]\nplugins = plugin.py\n"
PROGRAMS = {"mypy": "mypy", "dmypy": "mypy.dmypy"}
SUMMARIES = ("Found ", "Success: ")  # which the page leaves out
REST = "..."  # a line that stands for all the lines that follow


@dataclass
class Section:
    """The files that a section writes and the commands that it runs, in the order of the page."""

    title: str
    blocks: list[Block] = field(default_factory=list)


def sections() -> list[Section]:
    found: dict[int, Section] = {}
    for number, block in read_blocks(PAGE):
        if block.file is not None or block.language == "console":
            found.setdefault(number, Section(block.heading)).blocks.append(block)
    return list(found.values())


def commands(console: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each command of a block, and the lines that it prints."""
    for command in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        first, *printed = command.splitlines()
        yield first.split(), printed


def run(program: str, arguments: list[str], folder: Path) -> list[str]:
    command = [sys.executable, "-m", PROGRAMS[program], *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    return [line for line in lines if not line.startswith(SUMMARIES)]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of one section. A daemon that a failed test leaves behind is ended."""
    (tmp_path / "mypy.ini").write_text(CONFIGURATION, encoding="utf-8")
    yield tmp_path
    if (tmp_path / ".dmypy.json").exists():
        run("dmypy", ["kill"], tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("section", sections(), ids=lambda section: section.title)
def test_mypy_prints_what_the_page_says(section: Section, folder: Path) -> None:
    for block in section.blocks:
        if block.file is not None:
            (folder / block.file).write_text(block.text, encoding="utf-8")
            continue
        for (program, *arguments), expected in commands(block.text):
            printed = run(program, arguments, folder)
            if expected[-1:] == [REST]:
                expected, printed = expected[:-1], printed[: len(expected) - 1]
            assert printed == expected, f"{block.place}: {program} {' '.join(arguments)}"


def test_the_page_has_the_configuration_that_the_programs_run_with() -> None:
    assert f"```ini\n{CONFIGURATION}```" in PAGE.read_text(encoding="utf-8")
