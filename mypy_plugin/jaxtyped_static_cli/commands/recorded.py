"""Recorded runs that a command is given."""

from pathlib import Path

from jaxtyped_static_runs.journal import JournalError, read_run
from jaxtyped_static_runs.model import Run

from ..terminal.problems import Problem


def run_in_file(file: Path) -> Run:
    """The recorded run in a file.

    Raises:
        Problem: it cannot be read, or is none.
    """
    try:
        return read_run(file)
    except JournalError as error:
        raise Problem(str(error)) from None
    except OSError as error:
        raise Problem(f"{file} cannot be read: {error.strerror}") from None
