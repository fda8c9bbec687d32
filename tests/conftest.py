"""Settings for all tests: a folder that the processes of a session share, and no verdict by wall-clock time."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.pieces import InPieces

# Hypothesis measures wall-clock time, and on a busy machine every example is slow.
settings.register_profile("any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-machine")

_VARIABLE = "JAXTYPED_STATIC_TEST_SESSION"
_XLA_FLAGS = "--xla_cpu_use_fusion_emitters=false --xla_backend_optimization_level=0"


def shared_folder() -> Path:
    """Creates the folder when the session starts, and removes it when it ends."""
    return Path(os.environ[_VARIABLE])


def pytest_configure(config: pytest.Config) -> None:
    # xdist's workers inherit the variable from the process that starts them.
    if not hasattr(config, "workerinput"):
        os.environ[_VARIABLE] = tempfile.mkdtemp(prefix="jaxtyped-static-")
    for name, value in compiling_faster().items():
        os.environ.setdefault(name, value)


def compiling_faster() -> dict[str, str]:
    """What makes JAX compile the many small programs of the tests in a fraction of the CPU time.

    Programs that several tests compile are compiled once. XLA's emitters of fused loops, which take half of the time,
    are off, and so is LLVM's optimisation, which costs a fifth of what is left: each program runs a few times at most.
    XLA stops the process at a flag that it does not know, so only the release that was tried gets them.
    """
    faster = {
        "JAX_COMPILATION_CACHE_DIR": str(shared_folder() / "compiled"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    is_known = version("jaxlib").startswith("0.10.")
    return {**faster, "XLA_FLAGS": _XLA_FLAGS} if is_known else faster


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(_VARIABLE), ignore_errors=True)


@pytest.hookimpl(optionalhook=True)  # `-p no:xdist`
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> InPieces | None:
    return InPieces(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collects no garbage while pytest collects tests, of which none is garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Leaves what is there before the first test out of all garbage collections, and of other processes.

    It is no garbage, and there are a million objects: tests that see whether something is freed would walk them all.
    JAX, which the modules of the tests imported, has read the variables; the programs that tests start shall be as
    they are for users.
    """
    gc.freeze()
    for name, value in compiling_faster().items():
        if os.environ.get(name) == value:
            del os.environ[name]


@pytest.fixture(autouse=True, scope="module")
def _what_stays_is_no_garbage() -> Iterator[None]:
    """Does the same for what the tests of a module leave behind, as JAX's programs."""
    yield
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium for the tests of pages, which are skipped without one."""
    driver = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("needs Chromium")
    with driver.sync_playwright() as running:
        launched = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield launched
        launched.close()
