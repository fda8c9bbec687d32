"""What the functions of a project cost in its last recorded run."""

import functools
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from jaxtyped_static_runs.files import latest
from jaxtyped_static_runs.journal import JournalError, read_run
from jaxtyped_static_runs.model import Preparation, Run, What

_COMPILED = (What.FIRST, What.AGAIN)


class Cost(NamedTuple):
    """The programs that JAX compiled of one function."""

    times: int
    seconds: float
    reasons: tuple[str, ...]  # why it was compiled again, what cost most first
    file: Path  # of the run


def costs_of(root: Path) -> Mapping[tuple[str, int], Cost]:
    """By the file and the line on which a function is defined; nothing if there is no recording that can be read."""
    file = latest(root)
    return _costs_in(file, file.stat().st_mtime_ns) if file is not None else {}


@functools.lru_cache(maxsize=8)
def _costs_in(file: Path, changed: int) -> Mapping[tuple[str, int], Cost]:
    """An editor asks after each keystroke, and a recording may have thousands of lines. `changed`: when it was."""
    try:
        run = read_run(file)
    except (JournalError, OSError):
        return {}
    found: dict[tuple[str, int], list[Preparation]] = {}
    for one in run.preparations:
        if one.what in _COMPILED and one.function.file:
            found.setdefault((_path(run, one), one.function.line), []).append(one)
    return {place: _cost(prepared, file) for place, prepared in found.items()}


def _path(run: Run, one: Preparation) -> str:
    return os.path.realpath(run.path(one.function.file))


def _cost(prepared: list[Preparation], file: Path) -> Cost:
    again = sorted((one for one in prepared if one.what is What.AGAIN), key=lambda one: -one.seconds.total)
    reasons = tuple(
        f"{one.seconds.total:.1f} s: {', '.join(map(str, one.reasons)) or 'no visible difference'}" for one in again
    )
    return Cost(len(prepared), sum(one.seconds.total for one in prepared), reasons, file)
