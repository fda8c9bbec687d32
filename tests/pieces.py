"""Gives a process of pytest-xdist a few tests of a file at a time.

One by one, ten thousand tests take twelve seconds more: for each, xdist looks through all that a process was given.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from xdist.scheduler import LoadGroupScheduling  # type: ignore[import-untyped]

_TOGETHER = 10


class InPieces(LoadGroupScheduling):  # type: ignore[misc]
    """Tests of a marked group stay together; of the others, neighbours in a file go together."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        self._pieces: dict[str, str] = {}
        self._of_file: Counter[str] = Counter()

    def _split_scope(self, nodeid: str) -> str:
        """Returns the name of what the test goes with; it is asked first for each test in turn."""
        group: str = super()._split_scope(nodeid)
        if group != nodeid:
            return group
        if nodeid not in self._pieces:
            file = nodeid.partition("::")[0]
            self._pieces[nodeid] = f"{file} {self._of_file[file] // _TOGETHER}"
            self._of_file[file] += 1
        return self._pieces[nodeid]
