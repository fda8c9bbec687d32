"""Pages of programs: what goes wrong in one that is `wrong` is found, and nothing in one that is `right`.

A heading is a program; `file=main.py` is what runs, under the name of the heading.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from tests import processes
from tests.cli.running import CONFIG, findings_of, write
from tests.conftest import compiling_faster

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
    """One heading of a page."""

    name: str
    is_wrong: bool
    files: dict[str, str]  # by their paths


def read(*pages: str) -> list[Program]:
    texts = (Path(__file__).with_name(page).read_text(encoding="utf-8") for page in pages)
    return [_read(heading) for text in texts for heading in text.split("\n## ")[1:]]


def _read(heading: str) -> Program:
    name = re.sub(r"\W+", "_", heading.partition("\n")[0]).strip("_").lower()
    blocks = _BLOCK.findall(heading)
    files = {f"{name}/{name if file == 'main.py' else file.removesuffix('.py')}.py": text for _, file, text in blocks}
    return Program(name, blocks[0][0] == "wrong", files)


def reported(programs: list[Program], folder: Path, *options: str) -> set[str]:
    """The programs about which `check` says something, all checked at once."""
    files = {path: text for program in programs for path, text in program.files.items()}
    project = write(folder, {"pyproject.toml": CONFIG, **files})
    return {
        finding["path"].partition("/")[0]
        for finding in findings_of(project, f"--cache-dir={project / 'cache'}", *options)
    }


def run_all(programs: list[Program], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs all of them under JAX: their assertions hold."""
    write(folder, {path: text for program in programs for path, text in program.files.items()})
    names = [str(folder / next(iter(program.files))) for program in programs]
    return processes.run([sys.executable, "-c", _RUN_ALL, *names], cwd=folder, env=os.environ | compiling_faster())
