"""How much work it is to follow some code: a tree may have more parts than anybody can look at.

`s = (s, s)` on thirty lines makes a tree of a thousand million leaves, and thirty loops in each other make as many
passes. One machine follows code at a time, so there is one count, which begins anew with each.
"""

from dataclasses import dataclass
from typing import Final

_MOST: Final = 300_000  # a tenth of a second
MOST_ITEMS: Final = 10_000  # of one tuple


class OutOfSteps(Exception):
    """The program takes too long to follow."""


@dataclass
class _Effort:
    spent: int = 0  # parts of trees, and statements

    def begin(self) -> None:
        self.spent = 0

    def spend(self) -> None:
        self.spent += 1
        if self.spent > _MOST:
            raise OutOfSteps


EFFORT: Final = _Effort()
