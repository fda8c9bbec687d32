"""Refuses a value, and builds the path on the way from the offender up to the object that holds it."""

from __future__ import annotations

from jaxtyped_static._errors import StaticContractError
from jaxtyped_static._refusals.words import WORDS, Reason


class Refused(Exception):
    """A value that breaks the contract. The path grows while the exception passes through the containing objects."""

    def __init__(
        self, reason: Reason, subject: str, detail: str = "", at: str = "", captured: str = "", hint: str = ""
    ) -> None:
        super().__init__(reason, subject, detail)
        self.reason = reason
        self.fill = {"subject": subject, "detail": detail, "at": at, "captured": captured, "hint": hint}
        self.steps: list[str] = []

    def under(self, step: str) -> Refused:
        """Returns the same refusal, seen from one level further out."""
        self.steps.insert(0, step)
        return self

    def as_error(self, root: str) -> StaticContractError:
        """Returns the error that the user sees."""
        words = WORDS[self.reason]
        path = root + "".join(self.steps) if self.steps else ""
        return StaticContractError(
            code=words.code,
            path=path,
            reason=words.says.format(**self.fill),
            advice=words.advice.format(**self.fill),
        )


def class_name(cls: type) -> str:
    """Returns a class's name as its author would write it, without enclosing functions."""
    return cls.__qualname__.rpartition("<locals>.")[2]
