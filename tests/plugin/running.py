"""Runs mypy with the plugin over one program, in a separate process.

The process serves many calls. mypy leaves the trees of all modules behind, and in the tests' own process every later
garbage collection would visit them.
"""

from __future__ import annotations

import atexit
import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext, redirect_stderr
from functools import cache, partial
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from pkgutil import walk_packages
from typing import NamedTuple, ParamSpec, TypeVar
from unittest import mock

import mypy.api
import psutil

import jaxtyped_static_cli
import jaxtyped_static_mypy
from jaxtyped_static_mypy.memory import clear
from tests.conftest import shared_folder

# A jax of a few lines, in place of the real one.
LIGHT = Path(__file__).parent / "light"

# Bytes of memory with which the process is replaced by a new one. mypy (2.4.1) moves the trees that it reads past
# Python's garbage collector, which then never runs by itself; and to free the trees of jax takes four seconds, but to
# start a process takes half of one, with the first run in it. A run leaves up to 50 megabytes.
_ENOUGH = 1_500_000_000

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
    """It ends at once, where Python would first free everything.

    It is a fork of a process that has imported what a check needs, and has done nothing else, so that its first run
    does not take ten times as long as the others. None of that imports JAX, whose threads forbid a fork.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.cli.running", "mypy.fastparse", "mypy.nativeparse", *_modules()])
    return ProcessPoolExecutor(1, mp_context=context, initializer=atexit.register, initargs=(os._exit, 0))


def _modules() -> list[str]:
    """Those of the plugin and of the command, most of which are imported when something runs."""
    parts = (jaxtyped_static_cli, jaxtyped_static_mypy)
    names = [module.name for part in parts for module in walk_packages(part.__path__, f"{part.__name__}.")]
    return [name for name in names if not name.endswith("__main__")]


def elsewhere(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Calls a function of a module in the other process; its arguments and result are pickled."""
    process = _process()
    result, used = process.submit(_call, partial(function, *args, **kwargs)).result()
    if used > _ENOUGH:
        process.shutdown()
        _process.cache_clear()
    return result


def _call(function: Callable[[], R]) -> tuple[R, int]:
    """Returns the result, and the memory of this process."""
    return function(), psutil.Process().memory_info().rss


def mypy_here(arguments: list[str], broken: str = "") -> Said:
    """Runs mypy in this process. `broken`: a function that raises in it, by full name."""
    fault = mock.patch(broken, side_effect=KeyError("unforeseen")) if broken else nullcontext()
    with fault, redirect_stderr(StringIO()) as of_plugin:
        out, errors, status = mypy.api.run(arguments)
    clear()
    return Said(out, errors + of_plugin.getvalue(), status)
