"""What the checks need from PyPI, fetched once into a folder that git ignores: libraries, and each program's files."""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

from tests.e2e.environments import ROOT, create, install
from tests.real.packages import LIBRARIES
from tests.rules.store import made_once

FOLDER = ROOT / ".cache" / "real"


def interpreter() -> Path:
    """The interpreter of an environment that holds the libraries the programs import."""
    text = "\n".join((sys.version, *LIBRARIES))
    folder = FOLDER / f"libraries-{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    def build() -> Path:
        shutil.rmtree(folder, ignore_errors=True)
        python = create(folder)
        install(python, *LIBRARIES)
        return python

    return made_once(folder.with_suffix(".ready"), build)


def source_tree(requirement: str) -> Path:
    """A folder with the distribution's own files and nothing else, as it came from PyPI."""
    folder = FOLDER / requirement
    python = interpreter()

    def unpack() -> Path:
        shutil.rmtree(folder, ignore_errors=True)
        install(python, "--no-deps", "--target", folder, requirement)
        return folder

    return made_once(FOLDER / f"{requirement}.ready", unpack)
