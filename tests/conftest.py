"""A folder that all processes of one test session share, xdist workers included."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest

_VARIABLE = "JAXTYPED_STATIC_TEST_SESSION"


def shared_folder() -> Path:
    """Made when the session starts, and removed when it ends."""
    return Path(os.environ[_VARIABLE])


def pytest_configure(config: pytest.Config) -> None:
    # xdist's workers inherit the variable from the process that starts them.
    if not hasattr(config, "workerinput"):
        os.environ[_VARIABLE] = tempfile.mkdtemp(prefix="jaxtyped-static-")


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(_VARIABLE), ignore_errors=True)
