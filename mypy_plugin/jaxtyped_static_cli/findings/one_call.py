"""Arguments of one function that one call gives, and that are not there: one edit of the call mends all of them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from ..files import sources
from ..mypy_runs.diagnostics import Span
from .effects import Effect
from .relations import inverted, reached

# By code and kind: their messages name the function.
_OF_ARGUMENTS: Final = frozenset({("jax-removed", "argument"), ("jax-missing", "argument")})


def of_one_call(groups: Iterable[list[Effect]], root: Path) -> list[list[Effect]]:
    """Groups of effects, in which those are one of which some statement gives the arguments together."""
    found = list(groups)
    calls = {index: _calls(group, root) for index, group in enumerate(found)}
    beside = inverted(calls)
    joined, told = [], set[int]()
    for index in calls:
        if index not in told:
            alike = reached([index], lambda one: {other for call in calls[one] for other in beside[call]})
            told |= alike
            effects = [effect for one in sorted(alike) for effect in found[one]]
            joined.append(sorted(effects, key=_place) if len(alike) > 1 else effects)
    return joined


def _place(effect: Effect) -> Span:
    return effect.diagnostic.span


def _calls(group: list[Effect], root: Path) -> set[tuple[str, str, int]]:
    """The function of an argument, and the statements in which a group has it."""
    arguments = (effect for effect in group if (effect.reported.code, effect.reported.kind) in _OF_ARGUMENTS)
    return {
        (
            effect.reported.value("function"),
            effect.path,
            sources.statement(root / effect.path, effect.diagnostic.span.line),
        )
        for effect in arguments
    }
