"""mypy's cache of the libraries, made once for all programs: they take half of the time of a cold run."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from mypy.version import __version__ as mypy_version

from jaxtyped_static_mypy import __version__ as plugin_version
from tests import processes
from tests.real.invocation import cache_folder, config_text, invocation
from tests.real.packages import LIBRARIES
from tests.real.workspace import FOLDER, Program, digest, interpreter
from tests.rules.store import made_once

# Seconds for which a cache is left alone: another working copy, with another plugin, may share the folder.
_IN_USE = 3600

# Submodules that programs import and the libraries themselves do not.
_SUBMODULES = ("flax.linen", "flax.nnx", "flax.struct", "flax.training.train_state", "jax.numpy")


def library_cache() -> Path:
    """Returns a folder to copy, valid for this plugin only: it has what the plugin stores about classes."""
    key = digest(mypy_version, plugin_version, str(interpreter()), config_text(with_plugin=True))
    folder = FOLDER / f"cache-{key}"
    return made_once(folder.with_suffix(".ready"), lambda: _build(folder))


def _build(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    for earlier in FOLDER.glob("cache-*.ready"):  # of plugins that no longer exist
        if time.time() - earlier.stat().st_mtime > _IN_USE:
            earlier.unlink()
            shutil.rmtree(earlier.with_suffix(""), ignore_errors=True)
    folder.mkdir(parents=True)
    modules = [requirement.partition("==")[0].replace("-", "_") for requirement in LIBRARIES]
    everything = Program(folder, ("-c", f"import {', '.join([*modules, *_SUBMODULES])}"))
    call = invocation(everything, folder)
    done = processes.run(call.command, cwd=call.folder, env=call.environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return cache_folder(folder)
