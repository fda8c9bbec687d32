"""Shortens tracebacks: removes the runtime's frames, and for the runtime's own errors JAX's frames, too."""

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
    """Ends the traceback of one of our errors at the program's own code; other errors only lose our frames."""
    is_ours = type(excinfo.value).__module__.partition(".")[0] == _RUNTIME
    machinery = tuple(_places(_MACHINERY if is_ours else (_RUNTIME,)))
    if not machinery:
        return
    shown = without(machinery, excinfo.tb)
    if shown is not None:
        traceback: Any = type(excinfo.traceback)
        excinfo.traceback = traceback(shown)
    for error in _chain(excinfo.value):
        error.__traceback__ = without(machinery, error.__traceback__) or error.__traceback__
    if is_ours:
        notes = getattr(excinfo.value, "__notes__", [])
        notes[:] = [note for note in notes if _NOTE_OF_JAX not in note]


def without(machinery: tuple[str, ...], traceback: TracebackType | None) -> TracebackType | None:
    """Returns the frames of the program and of pytest."""
    kept: TracebackType | None = None
    for link in reversed(list(_links(traceback))):
        if not link.tb_frame.f_code.co_filename.startswith(machinery):
            kept = TracebackType(kept, link.tb_frame, link.tb_lasti, link.tb_lineno)
    return kept


def _links(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yields the exceptions that it was raised from or during."""
    seen = {id(error)}
    following = error.__cause__ or error.__context__
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        following = following.__cause__ or following.__context__


def _places(modules: tuple[str, ...]) -> Iterator[str]:
    """Yields folders and files; a module that was not imported cannot be in a traceback."""
    for name in modules:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is not None:
            place = Path(file)
            yield f"{place.parent}{os.sep}" if place.name == "__init__.py" else str(place)
