"""What the guides quote is what the command prints about their programs."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.environments import run
from tests.rules.cases import GUIDE, Block, read_blocks
from tests.rules.marks import read_marks

pytestmark = pytest.mark.thorough

SETTINGS = "[tool.jaxtyped_static]\n"
COMMAND = "jaxtyped-static check "


def quoted(page: Path) -> Iterator[tuple[str, str, str, Block]]:
    """Each text that a page quotes: the program and the settings above it, the command, and the text."""
    program = settings = command = heading = ""
    for _, block in read_blocks(page):
        if block.heading != heading:
            heading, settings = block.heading, ""
        if block.language == "python":
            program = read_marks(block.text)[0]
        elif block.language == "toml":
            settings = block.text
        elif block.language == "sh":
            command = block.text
        elif block.language == "text" and command.startswith(COMMAND):
            yield program, settings, command, block


QUOTED = [found for page in sorted(GUIDE.glob("*.md")) for found in quoted(page)]


@pytest.mark.parametrize(
    ("program", "settings", "command", "text"), QUOTED, ids=lambda value: getattr(value, "place", "")
)
def test_the_command_prints_what_a_guide_quotes(
    program: str, settings: str, command: str, text: Block, tmp_path: Path, cache_of_the_demo: Path
) -> None:
    (tmp_path / "main.py").write_text(program)
    (tmp_path / "pyproject.toml").write_text(SETTINGS + settings)
    options = [f"--python={sys.executable}", f"--cache-dir={cache_of_the_demo}"]
    arguments = [*shlex.split(command)[1:], *options]
    said = run(sys.executable, "-m", "jaxtyped_static_mypy", *arguments, cwd=tmp_path, check=False)
    *lines, checked = said.stdout.splitlines(keepends=True)
    assert checked.startswith("Checked 1 file"), said
    assert "".join(lines) == text.text, said.stdout


def test_guides_quote_the_command() -> None:
    assert {block.document.stem for *_, block in QUOTED} == {"harm-to-contract", "ten-minutes"}
