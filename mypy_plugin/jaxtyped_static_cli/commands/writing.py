"""Writes what a command makes: to a file that the user names, or to the standard output."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from ..terminal.problems import Problem


@contextlib.contextmanager
def written_to(output: Path | None, what: str) -> Iterator[TextIO]:
    """The file to write to; `what`: its name if there is none. That nobody reads on (`| head`) is no problem.

    Raises:
        Problem: it cannot be written.
    """
    try:
        with contextlib.suppress(BrokenPipeError), _opened(output) as target:
            yield target
    except OSError as error:
        raise Problem(f"{output or what} cannot be written: {error.strerror}") from None


def _opened(file: Path | None) -> contextlib.AbstractContextManager[TextIO]:
    return file.open("w", encoding="utf-8", errors="replace") if file else contextlib.nullcontext(sys.stdout)
