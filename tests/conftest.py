"""Settings for all tests: a folder that the processes of a session share, and no verdict by wall-clock time."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Hypothesis measures wall-clock time, and on a busy machine every example is slow.
settings.register_profile("any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-machine")

_VARIABLE = "JAXTYPED_STATIC_TEST_SESSION"


def shared_folder() -> Path:
    """Creates the folder when the session starts, and removes it when it ends."""
    return Path(os.environ[_VARIABLE])


def pytest_configure(config: pytest.Config) -> None:
    # xdist's workers inherit the variable from the process that starts them.
    if not hasattr(config, "workerinput"):
        os.environ[_VARIABLE] = tempfile.mkdtemp(prefix="jaxtyped-static-")


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(_VARIABLE), ignore_errors=True)


def pytest_collection_finish() -> None:
    """Leaves what is there before the first test out of all garbage collections.

    It is no garbage, and there are a million objects: tests that see whether something is freed would walk them all.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture
def without_jax(tmp_path: Path) -> str:
    """Returns an interpreter without any installed packages."""
    environment = tmp_path / "empty"
    environment.mkdir()
    (environment / "pyvenv.cfg").write_text(f"home = {Path(sys.base_prefix) / 'bin'}\n")
    (environment / "bin").mkdir()
    (environment / "bin" / "python").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    return str(environment / "bin" / "python")
