"""Runs mypy with the plugin over one program, in this process."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import mypy.api

from jaxtyped_static_mypy.memory import MEMORY
from tests.conftest import shared_folder

# A jax of a few lines, in front of the real one.
LIGHT = Path(__file__).parent / "light"


def run_mypy(
    folder: Path,
    program: str,
    settings: str = "",
    *flags: str,
    plugins: str = "jaxtyped_static_mypy",
    mypy_path: Path = LIGHT,
) -> tuple[str, int]:
    """What mypy prints, and its exit status. `settings`: further lines of the configuration file.

    The runs of a process under the same configuration share a cache; a program is not taken from it.
    """
    config = f"[mypy]\nplugins = {plugins}\nmypy_path = {mypy_path}\n{settings}"
    (folder / "mypy.ini").write_text(config)
    (folder / "program.py").write_text(f"{program}\n# {folder}\n")  # mypy knows a file again by its text
    key = hashlib.sha256("\n".join([config, *flags]).encode()).hexdigest()
    cache = shared_folder() / "plugin-cache" / str(os.getpid()) / key
    arguments = ["--config-file", str(folder / "mypy.ini"), "--cache-dir", str(cache), *flags]
    out, _, status = in_this_process([*arguments, str(folder / "program.py")])
    return out, status


def in_this_process(arguments: list[str]) -> tuple[str, str, int]:
    """What mypy prints, to both streams, and its exit status."""
    said = mypy.api.run(arguments)
    MEMORY.clear()  # it holds the trees of all modules, which every collection of garbage in later tests would visit
    return said
