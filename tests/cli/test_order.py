"""Programs that change what JAX has compiled in, and similar ones in which nothing goes wrong: those of `order*.md`."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests import processes
from tests.cli.running import CONFIG, run, write

pytestmark = pytest.mark.xdist_group("light")

_PAGES: Final = [Path(__file__).with_name(name) for name in ("order.md", "order-variables.md")]
_BLOCK: Final = re.compile(r"^```python (right|wrong) file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_RUN_ALL: Final = """\
import pathlib, runpy, sys

for program in list(sys.argv[1:]):
    sys.argv = [program]
    sys.path.insert(0, str(pathlib.Path(program).parent))
    runpy.run_path(program, run_name="__main__")
    sys.path.pop(0)
"""


class Program(NamedTuple):
    """One heading of the page."""

    name: str
    is_wrong: bool
    files: dict[str, str]  # by their paths


def _read(heading: str) -> Program:
    name = re.sub(r"\W+", "_", heading.partition("\n")[0]).strip("_").lower()
    blocks = _BLOCK.findall(heading)
    files = {f"{name}/{name if file == 'main.py' else file.removesuffix('.py')}.py": text for _, file, text in blocks}
    return Program(name, blocks[0][0] == "wrong", files)


_HEADINGS: Final = [heading for page in _PAGES for heading in page.read_text(encoding="utf-8").split("\n## ")[1:]]
PROGRAMS: Final = [_read(heading) for heading in _HEADINGS]


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The programs about which `check` says something, all checked at once."""
    files = {path: text for program in PROGRAMS for path, text in program.files.items()}
    project = write(tmp_path_factory.mktemp("order"), {"pyproject.toml": CONFIG, **files})
    said = run(project, "check", f"--cache-dir={project / 'cache'}", "--format=json")
    return {finding["path"].partition("/")[0] for finding in json.loads(said.out)["findings"]}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_what_goes_wrong_is_found_and_nothing_else(program: Program, reported: set[str]) -> None:
    assert (program.name in reported) is program.is_wrong


def test_the_programs_do_what_the_page_says(tmp_path: Path) -> None:
    files = {path: text for program in PROGRAMS for path, text in program.files.items()}
    write(tmp_path, files)
    programs = [str(tmp_path / next(iter(program.files))) for program in PROGRAMS]
    ran = processes.run([sys.executable, "-c", _RUN_ALL, *programs], cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr


def test_names_are_unique() -> None:
    assert len({program.name for program in PROGRAMS}) == len(PROGRAMS)
