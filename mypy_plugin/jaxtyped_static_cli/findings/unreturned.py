"""Findings about a dropped result of a call that raises: it returns none, and one cause is one finding."""

from collections.abc import Sequence
from typing import Final

from jaxtyped_static_mypy.reporting.actions import DROPPED
from jaxtyped_static_mypy.reporting.harm import Harm

from ..mypy_runs.diagnostics import Span
from .effects import Effect

_OF_CALLS: Final = frozenset({"jax-call", "jax-missing", "jax-removed"})  # what JAX refuses, whatever the values are


def without_unreturned(effects: Sequence[Effect]) -> list[Effect]:
    """The effects without those of results that are dropped where the same expression raises."""
    raising = [
        effect.diagnostic.span
        for effect in effects
        if effect.reported.code in _OF_CALLS and effect.reported.harm is Harm.RAISES
    ]
    return [
        effect
        for effect in effects
        if effect.reported.kind not in DROPPED or not any(_is_in(span, effect.diagnostic.span) for span in raising)
    ]


def _is_in(inner: Span, outer: Span) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    ends = (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    return inner.path == outer.path and begins and ends
