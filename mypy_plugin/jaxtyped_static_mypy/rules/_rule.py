"""A rule about the static contract: its code, and the words for each reason that belongs to it."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mypy.errorcodes import ErrorCode
from mypy.nodes import Context

from ..reasons import Fault, Reason


class Words(NamedTuple):
    """What is wrong and what to do. `{subject}`, `{detail}` and `{name}` (parameter or field) are filled in."""

    says: str
    advice: str


class Rule(NamedTuple):
    """One code. Reported once per position, for the outermost fault with one of these reasons."""

    code: ErrorCode
    words: Mapping[Reason, Words]
    strict_only: bool = False
    # Where a fault has a place of its own, in the file of the offending class: reported there, for each fault.
    place: Callable[[Fault], Context | None] | None = None
