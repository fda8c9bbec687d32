"""Runs mypy with the plugin over one program, in this process."""

from __future__ import annotations

from pathlib import Path

import mypy.api

from tests.conftest import shared_folder


def run_mypy(
    folder: Path, program: str, settings: str = "", *flags: str, plugins: str = "jaxtyped_static_mypy"
) -> tuple[str, int]:
    """What mypy prints, and its exit status. `settings`: further lines of the configuration file.

    The tests of a session share one cache, so jax is analysed once; a program in another folder is not taken from it.
    """
    cache = shared_folder() / "plugin-cache"
    (folder / "mypy.ini").write_text(f"[mypy]\nplugins = {plugins}\ncache_dir = {cache}\n{settings}")
    (folder / "program.py").write_text(program)
    arguments = ["--config-file", str(folder / "mypy.ini"), *flags, str(folder / "program.py")]
    out, _, status = mypy.api.run(arguments)
    return out, status
