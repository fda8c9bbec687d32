"""A kind of declaration: a text with features that can be chosen one by one.

In a text, `{name}` is the declared name, `{itself}` is a reference to it, a feature's name stands for the chosen
alternative, and any other word in braces is a slot: a reference to some declaration of that sort in the program (digits
distinguish slots). The first alternative of a feature is the plainest; most programs start with it and get the others
by edits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

_WORD: Final = re.compile(r"{(\w+)}")


@dataclass(frozen=True)
class Kind:
    """A kind of declaration: the sorts of references it supports, and its text."""

    sorts: tuple[str, ...]
    text: str
    features: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def slots(self, chosen: Mapping[str, int]) -> list[str]:
        """Returns the slots of the text with these alternatives."""
        return [word for word in _WORD.findall(self.filled_in(chosen)) if word not in ("name", "itself")]

    def filled_in(self, chosen: Mapping[str, int]) -> str:
        return _WORD.sub(lambda match: self._alternative(match, chosen), self.text)

    def _alternative(self, match: re.Match[str], chosen: Mapping[str, int]) -> str:
        alternatives = self.features.get(match[1])
        return match[0] if alternatives is None else alternatives[chosen.get(match[1], 0)]


def sort_of(slot: str) -> str:
    return slot.rstrip("0123456789")


def with_references(text: str, references: Mapping[str, str]) -> str:
    return _WORD.sub(lambda match: references[match[1]], text)
