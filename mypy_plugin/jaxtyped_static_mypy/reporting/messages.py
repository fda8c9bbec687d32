"""The text of an error: what is wrong, and what to do about it."""

import re
from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple

from .actions import Advised, Alternative, Values, placeholders, render

ALTERNATIVE: Final = ", or "
# How the note begins that a fault of the plugin itself leaves; the command must not take it for a clean file.
FAILURE: Final = "jaxtyped_static could not check this"
Advice = str | Alternative | tuple[str | Alternative, ...]  # a text may have several alternatives
_QUOTED: Final = re.compile(r'"([^"]+)"')


class Statement(NamedTuple):
    """What a rule says of one place."""

    kind: str
    problem: str
    advice: tuple[Advised, ...]
    values: Values  # of the placeholders of the problem
    names: tuple[str, ...]  # what the problem names, in order: baselines identify it by them

    @property
    def advice_text(self) -> str:
        return advice_text(self.advice)

    def about(self, subject: str) -> "Statement":
        """The statement, of a subject that the problem does not name."""
        values = (("subject", subject), *self.values)
        return self._replace(problem=f"{subject} {self.problem}", values=values)


class Message(NamedTuple):
    """A template with `{placeholders}`.

    A test collects the messages of every rule, and requires a case in which each piece of advice is followed.
    """

    problem: str
    advice: Advice
    kind: str = ""  # of the problem, whatever its words and the advice are; unique in its rule

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        parts = (self.advice,) if isinstance(self.advice, (str, Alternative)) else self.advice
        return tuple(Alternative(part) if isinstance(part, str) else part for part in parts)

    @property
    def advice_text(self) -> str:
        return ALTERNATIVE.join(alternative.text for alternative in self.alternatives)

    def named_by(self, key: Enum, *, table: str = "") -> "Message":
        """With the name of its key in a table as its kind, unless it has one. `table`: unless it is the first."""
        name = key.name.lower().replace("_", "-")
        return self if self.kind else self._replace(kind=f"{name}-{table}" if table else name)

    def also(self, *advice: str | Alternative) -> "Message":
        """With more alternatives."""
        return self._replace(advice=(*self.alternatives, *advice))

    def fill(self, **values: str) -> Statement:
        problem = render(self.problem, values)
        kept = tuple((name, values[name]) for name in placeholders(self.problem))
        advice = tuple(alternative.fill(values) for alternative in self.alternatives)
        return Statement(self.kind, problem, advice, kept, tuple(_QUOTED.findall(problem)))


def advice_text(advice: Sequence[Advised]) -> str:
    return ALTERNATIVE.join(alternative.text for alternative in advice)
