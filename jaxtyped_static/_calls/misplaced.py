"""Remembers calls that JAX answered with another value's program: its cache gives that program to equal calls, too."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Final

from jaxtyped_static._calls.seen_values import are_equal
from jaxtyped_static._errors import StaticContractError

_MAX_HELD: Final = 64  # of one function; JAX's cache keeps the values alive, too


class MisplacedCalls:
    """The static arguments of such calls of one function, each with the error that refused it."""

    def __init__(self) -> None:
        self._calls: list[tuple[tuple[Any, ...], StaticContractError]] = []

    def __bool__(self) -> bool:
        return bool(self._calls)

    def remember(self, values: Sequence[Any], error: StaticContractError) -> None:
        self.forget(values)
        self._calls.append((tuple(values), copy(error)))  # without the traceback, which holds on to its frames
        del self._calls[:-_MAX_HELD]

    def error_of(self, values: Sequence[Any]) -> StaticContractError | None:
        return next((copy(error) for known, error in self._calls if _are_alike(known, values)), None)

    def forget(self, values: Sequence[Any]) -> None:
        """Forgets calls like this one, for which JAX has made a program."""
        self._calls = [call for call in self._calls if not _are_alike(call[0], values)]


def _are_alike(known: Sequence[Any], values: Sequence[Any]) -> bool:
    if len(known) != len(values):
        return False
    pairs = zip(known, values, strict=True)
    return all(one is other or (type(one) is type(other) and are_equal(one, other)) for one, other in pairs)
