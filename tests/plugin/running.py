"""Runs mypy with the plugin over one program, in a separate process.

The process starts once. mypy leaves the trees of all modules behind, and in the tests' own process every later garbage
collection would visit them.
"""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext, redirect_stderr
from functools import cache, partial
from io import StringIO
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, ParamSpec, TypeVar
from unittest import mock

import mypy.api

from jaxtyped_static_mypy.memory import clear
from tests.conftest import shared_folder

# A jax of a few lines, in place of the real one.
LIGHT = Path(__file__).parent / "light"

# mypy (2.4.1) moves the trees that it reads past Python's garbage collector, which then never runs by itself: after
# some hundred checks of programs that import JAX, they would fill the memory.
_CALLS_PER_COLLECTION = 10
_CALLS = count(1)

P = ParamSpec("P")
R = TypeVar("R")


class Said(NamedTuple):
    """The output of mypy and the plugin, and mypy's exit status."""

    out: str
    errors: str
    status: int


def run_mypy(
    folder: Path,
    program: str,
    settings: str = "",
    *flags: str,
    plugins: str = "jaxtyped_static_mypy",
    mypy_path: Path = LIGHT,
    broken: str = "",
) -> Said:
    """Returns what mypy reports about a program.

    `settings`: further lines of the configuration file. `broken`: a function of the plugin that raises, by full name.
    Runs with the same configuration in one process share a cache, but the program itself is never taken from it.
    """
    config = f"[mypy]\nplugins = {plugins}\nmypy_path = {mypy_path}\n{settings}"
    (folder / "mypy.ini").write_text(config)
    (folder / "program.py").write_text(f"{program}\n# {folder}\n")  # mypy recognises a file by its text
    key = hashlib.sha256("\n".join([config, *flags]).encode()).hexdigest()
    cache_folder = shared_folder() / "plugin-cache" / str(os.getpid()) / key
    options = ["--config-file", str(folder / "mypy.ini"), "--cache-dir", str(cache_folder), *flags]
    return elsewhere(mypy_here, [*options, str(folder / "program.py")], broken)


@cache
def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))  # JAX's threads forbid a fork


def elsewhere(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Calls a function of a module in the other process; its arguments and result are pickled."""
    return _process().submit(_call, partial(function, *args, **kwargs)).result()


def _call(function: Callable[[], R]) -> R:
    result = function()
    if next(_CALLS) % _CALLS_PER_COLLECTION == 0:
        gc.collect()
    return result


def mypy_here(arguments: list[str], broken: str = "") -> Said:
    """Runs mypy in this process. `broken`: a function that raises in it, by full name."""
    fault = mock.patch(broken, side_effect=KeyError("unforeseen")) if broken else nullcontext()
    with fault, redirect_stderr(StringIO()) as of_plugin:
        out, errors, status = mypy.api.run(arguments)
    clear()
    return Said(out, errors + of_plugin.getvalue(), status)
