"""Writes edited files, or shows the difference."""

import difflib
import io
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from ..files.replacing import replace_content

_NO_NEWLINE: Final = "\\ No newline at end of file\n"


def write(contents: Mapping[Path, bytes], read_at: float) -> dict[Path, str]:
    """Returns the files that were not written, and why. `read_at`: files that changed since then are left alone."""
    failed: dict[Path, str] = {}
    for path, content in contents.items():
        try:
            if path.stat().st_mtime > read_at:
                failed[path] = "it changed while it was checked"
            else:
                replace_content(path, content)
        except OSError as error:
            failed[path] = error.strerror or str(error)
    return failed


def difference(contents: Mapping[Path, bytes], encoding: str = "utf-8") -> Iterator[str]:
    """The lines of a unified diff from the files as they are."""
    for path, content in sorted(contents.items()):
        name = Path(os.path.relpath(path)).as_posix()
        before, after = (_lines(text.decode(encoding, "replace")) for text in (path.read_bytes(), content))
        for line in difflib.unified_diff(before, after, name, name):
            yield line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}"


def _lines(text: str) -> list[str]:
    """As `diff` and `patch` see them: a form feed ends none."""
    return list(io.StringIO(text, newline="\n"))
