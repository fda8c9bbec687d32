"""Runs programs in this process, as if each were alone in it."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import jax

from jaxtyped_static import _no_compilation

# How a program can see what JAX has compiled for others. JAX compiles its own functions again after its caches were
# emptied, which is an eighth of the time of all programs.
_LOOKS_AT_COMPILATIONS = re.compile(r"compil|cache|monitoring|logging|testing|explain|guard|record")


@contextmanager
def alone(folder: Path, files: Iterable[str]) -> Iterator[None]:
    """A clean context: the folder first on the import path, no programs of earlier cases, nothing left behind.

    `files`: those of the program, by their paths in the folder, where they are already.
    """
    files = tuple(files)
    own = {path.partition("/")[0].removesuffix(".py") for path in files}
    before = dict(sys.modules)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    for name in _belonging(own):
        del sys.modules[name]
    if any(_LOOKS_AT_COMPILATIONS.search((folder / path).read_text(encoding="utf-8")) for path in files):
        jax.clear_caches()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        _no_compilation.forget()
        jax.monitoring.clear_event_listeners()  # type: ignore[no-untyped-call]
        sys.path.remove(str(folder))
        for name in _belonging(own):
            del sys.modules[name]
        sys.modules.update({name: module for name, module in before.items() if name not in sys.modules})


def _belonging(own: set[str]) -> list[str]:
    return [name for name in sys.modules if name.partition(".")[0] in own]
