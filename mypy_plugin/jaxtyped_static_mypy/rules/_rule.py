"""A rule about the static contract: its code, and the words for each reason that belongs to it."""

from collections.abc import Mapping
from typing import NamedTuple

from mypy.errorcodes import ErrorCode

from ..reasons import Reason


class Words(NamedTuple):
    """What is wrong and what to do. `{subject}`, `{detail}` and `{name}` (parameter or field) are filled in."""

    says: str
    advice: str


class Rule(NamedTuple):
    """One code. Reported once per position, for the outermost fault with one of these reasons."""

    code: ErrorCode
    words: Mapping[Reason, Words]
    strict_only: bool = False
