"""Where runs are kept: in a folder beside the program that version control ignores."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

from jaxtyped_static_runs.journal import FOLDER, SUFFIX

_IGNORED: Final = "# Made by jaxtyped-static.\n*\n"


def new_file(program: str) -> Path:
    """Returns the path of a new run: `.jaxtyped_static_runs/train-20260131-120000-4711.jsonl`."""
    name = "".join(letter if letter.isalnum() else "-" for letter in program).strip("-")
    return Path(FOLDER).absolute() / f"{name or 'run'}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}{SUFFIX}"


def file_of(file: Path, process: int) -> Path:
    """Returns the file of a process that another one made, beside the file of that."""
    return file.with_stem(f"{file.stem}-{process}")


def beside(file: Path) -> list[Path]:
    """Returns the files of the processes that one made."""
    return sorted(file.parent.glob(f"{file.stem}-*{file.suffix}"))


def make_folder(folder: Path) -> None:
    """Makes the folder of runs.

    Raises:
        OSError: it cannot be made.
    """
    if not folder.is_dir():
        folder.mkdir(parents=True)
        if folder.name == FOLDER:
            (folder / ".gitignore").write_text(_IGNORED)


def latest(folder: Path) -> Path | None:
    """Returns the run in a project's folder that was written last; None if there is none."""
    files = sorted((folder / FOLDER).glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime)
    return files[-1] if files else None
