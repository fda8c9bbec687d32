"""Tracebacks of the runtime's errors, without the frames of the runtime and of JAX."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import pytest

_RUNTIME: Final = "jaxtyped_static"
_MACHINERY: Final = (_RUNTIME, "jax", "contextlib")
_NOTE_OF_JAX: Final = "JAX has removed its internal frames"


def shorten(excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Ends the traceback where the program did what an error of ours is about; leaves other errors alone."""
    error = excinfo.value
    if type(error).__module__.partition(".")[0] != _RUNTIME:
        return
    shown = without_machinery(excinfo.tb)
    if shown is not None:
        traceback: Any = type(excinfo.traceback)
        excinfo.traceback = traceback(shown)
    notes = getattr(error, "__notes__", [])
    notes[:] = [note for note in notes if _NOTE_OF_JAX not in note]


def without_machinery(traceback: TracebackType) -> TracebackType | None:
    """The frames of the program and of pytest."""
    machinery = tuple(_places())
    kept: TracebackType | None = None
    for each in reversed(list(_links(traceback))):
        if not each.tb_frame.f_code.co_filename.startswith(machinery):
            kept = TracebackType(kept, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return kept


def _links(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _places() -> Iterator[str]:
    """Folders and files; what was not imported is not in a traceback."""
    for name in _MACHINERY:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is not None:
            place = Path(file)
            yield f"{place.parent}{os.sep}" if place.name == "__init__.py" else str(place)
