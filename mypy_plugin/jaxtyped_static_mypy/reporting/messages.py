"""The text of an error: what is wrong, and what to do about it."""

from typing import Final, NamedTuple

ALTERNATIVE: Final = ", or "
# How the note begins that a fault of the plugin itself leaves; the command must not take it for a clean file.
FAILURE: Final = "jaxtyped_static could not check this"


class Message(NamedTuple):
    """A template with `{placeholders}`. Alternatives in the advice are joined by `ALTERNATIVE`.

    A test collects the messages of every rule, and requires a case in which each piece of advice is followed.
    """

    problem: str
    advice: str

    def fill(self, **values: str) -> str:
        return f"{self.problem}; {self.advice}".format_map(values)
