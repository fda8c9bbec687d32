"""Answers to mypy's questions for hooks, by full name, given again without a step of Python.

mypy (2.4.1) asks for a hook for every name in a type, for every call expression twice, and for its signature: several
hundred thousand times in a run, nearly always to be told that there is none.
"""

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

HookT = TypeVar("HookT")


class Answer(NamedTuple, Generic[HookT]):
    """The hook for a name, if there is one, and whether that holds until a file is parsed."""

    hook: HookT | None
    is_lasting: bool = True


class Answers(dict[str, HookT | None]):
    """The answers that last. A look-up of another name finds its answer."""

    def __init__(self, find: Callable[[str], Answer[HookT]]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, fullname: str) -> HookT | None:
        hook, is_lasting = self._find(fullname)
        if is_lasting:
            self[fullname] = hook
        return hook
