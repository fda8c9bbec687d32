"""The setting `exclude`: mypy's patterns, with a limit to the time that they take.

The patterns come with the code that is checked. One like `(a+)+$` takes longer than anybody waits, and no look at a
pattern tells reliably whether it does. Another engine would read some patterns differently than mypy.
"""

import os
import re
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from ..terminal.problems import Problem
from .limits import TooLong, limited

_SECONDS: Final = 2.0  # of CPU time, for all paths together


class Exclusion:
    """Whether the setting leaves out a path."""

    def __init__(self, patterns: Iterable[str], root: Path, seconds: float = _SECONDS) -> None:
        """Raises Problem if a pattern is not a regular expression."""
        self._patterns = [_compiled(pattern) for pattern in patterns]
        self._root = root
        self._left = seconds

    def __call__(self, path: Path) -> bool:
        """Whether a pattern is found in the path, relative to the root; that of a folder ends with a slash.

        Raises:
            Problem: the patterns take too long.
        """
        if not self._patterns:
            return False
        text = Path(os.path.relpath(path, self._root)).as_posix() + ("/" if path.is_dir() else "")
        start = time.process_time()
        try:
            with limited(self._left):
                return any(pattern.search(text) for pattern in self._patterns)
        except TooLong:
            patterns = " or ".join(repr(pattern.pattern) for pattern in self._patterns)
            raise Problem(
                f"exclude: {patterns} takes too long to compare with {text}; "
                "write it without a repetition inside of another"
            ) from None
        finally:
            self._left = max(self._left - (time.process_time() - start), 0.001)  # 0 would switch the timer off


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise Problem(f"exclude: {pattern!r} is not a regular expression: {error}") from None
