"""The lines of the program that asked JAX for something."""

from __future__ import annotations

import os
import site
import sysconfig
from pathlib import Path
from types import FrameType
from typing import Final

import jaxtyped_static_runs as runs
from jaxtyped_static._recording.jax_names import is_of_jax
from jaxtyped_static_runs.model import Frame

_MAX_DEPTH: Final = 64
_OWN: Final = tuple(f"{Path(file).resolve().parent}{os.sep}" for file in (Path(__file__).parent, runs.__file__))
_LIBRARIES: Final = tuple(
    f"{os.path.realpath(folder)}{os.sep}"
    for folder in {
        *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        *site.getsitepackages(),
        site.getusersitepackages(),
    }
)


class Places:
    """Tells the program's own files from those of installed packages, and how they are called.

    Args:
        folder: where the program runs; files in it are named relative to it.
        own: a folder whose files belong to the program even if it is installed, as with `-m package`.
    """

    def __init__(self, folder: str, own: str = "") -> None:
        self._folder = f"{os.path.realpath(folder)}{os.sep}"
        self._own = f"{os.path.realpath(own)}{os.sep}" if own else ""
        self._files: dict[str, tuple[str, bool] | None] = {}

    def stack(self, frame: FrameType | None) -> tuple[Frame, ...]:
        """Returns the lines around a frame, the innermost first, without those of JAX and of this package."""
        found: list[Frame] = []
        while frame is not None and len(found) < _MAX_DEPTH:
            shown = self.file(frame.f_code.co_filename)
            if shown is not None:
                name, is_library = shown
                found.append(Frame(name, frame.f_lineno, frame.f_code.co_qualname, is_library))
            frame = frame.f_back
        return tuple(found)

    def file(self, path: str) -> tuple[str, bool] | None:
        """Returns how a file is called, and whether it is a library's; None for one of JAX or of this package."""
        if path not in self._files:
            self._files[path] = self._shown(path)
        return self._files[path]

    def path(self, frame: Frame) -> str:
        """Returns the path of a frame's file, if it is one of the program's own."""
        return frame.file if frame.file.startswith("<") else str(Path(self._folder) / frame.file)

    def _shown(self, path: str) -> tuple[str, bool] | None:
        if path.startswith("<"):
            # `<stdin>`, `<string>`, a cell of a notebook; but also what a library generates, and `<frozen runpy>`.
            return (path, False) if path in _TYPED or path.startswith("<ipython") else None
        real = os.path.realpath(path)
        if is_of_jax(path) or is_of_jax(real) or real.startswith(_OWN):
            return None
        library = next((folder for folder in _LIBRARIES if real.startswith(folder)), None)
        if library is None:
            return real.removeprefix(self._folder), False
        is_own = bool(self._own) and real.startswith(self._own)
        return real.removeprefix(library).removeprefix(f"site-packages{os.sep}"), not is_own


_TYPED: Final = frozenset({"<stdin>", "<string>"})


def current_folder() -> str:
    """Returns the current folder; empty if it is gone."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""
