"""How a process is recorded."""

from __future__ import annotations

from typing import NamedTuple


class Options(NamedTuple):
    """How a process is recorded, as the command tells the process that it starts.

    Attributes:
        file: where to write; empty for a new file below the current folder.
        process: the number of the process that the file is for; 0 for the one that begins. Others get files beside it.
        own: the folder of the program's code, if that may be an installed package.
        says: whether the process prints the report at its end.
        steps_from: the line that begins a step: `train.py:139`; empty for none.
        warm_after: after how many passes of that line nothing may be compiled any more; None for never.
        began: when the process began, in seconds since the epoch; 0 if that is when recording begins.
        verifies: whether to trace every program again at the end, and compare.
    """

    file: str = ""
    process: int = 0
    own: str = ""
    says: bool = False
    steps_from: str = ""
    warm_after: int | None = None
    began: float = 0.0
    verifies: bool = False
