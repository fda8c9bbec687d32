"""One reason why no compiled program fits a call."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple


class Kind(Enum):
    """What a difference is about."""

    FORM = "call form"
    STATIC = "static argument"
    DYNAMIC = "dynamic argument"
    STRUCTURE = "static structure"  # Metadata of pytrees, and static objects, in a dynamic argument.
    FUNCTION = "function"
    CONTEXT = "context"


CHANGED: Final = "in the same object: it was changed after it was hashed"


class Difference(NamedTuple):
    """What differs between two calls of a function.

    Attributes:
        path: the path to it (`"solver.limiter"`); empty if it is not in an argument.
        says: what differs, and what to do about it if known (`"1 → 1.0"`).
        kind: what the difference is about.
        code: the code of the rule about it, as the checker prints it (`"static-callable"`); None if there is none.
    """

    path: str
    says: str
    kind: Kind
    code: str | None = None

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        rule = f"  [{self.code}]" if self.code else ""
        return f"{where}{self.says}{rule}"
