"""A rule about the static contract: its code, and the words for each reason that belongs to it."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mypy.errorcodes import ErrorCode
from mypy.nodes import Context

from ..judgement.reasons import Fault, Reason


class Words(NamedTuple):
    """What is wrong and what to do about it, with `{placeholders}`. Alternatives are joined by ", or ".

    A test finds the words of every rule, and asks for a case in which each advice is followed.
    """

    says: str
    advice: str

    def fill(self, **parts: str) -> str:
        return f"{self.says}; {self.advice}".format_map(parts)


class Rule(NamedTuple):
    """One code. Reported once per position, for the outermost fault with one of these reasons."""

    code: ErrorCode
    words: Mapping[Reason, Words]
    strict_only: bool = False
    is_about_position: bool = False  # an offender that is there by itself, and not in something else, should not be
    # Where a fault has a place of its own, in the file of the offending class: reported there, for each fault.
    place: Callable[[Fault], Context | None] | None = None
