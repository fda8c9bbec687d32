"""Functions that stand in several files of a project: what is wrong with one of them is wrong with its copies."""

from collections.abc import Iterable
from pathlib import Path

from ..files import sources
from .effects import Effect

_Cause = tuple[object, ...]


def together(groups: Iterable[list[Effect]], root: Path) -> list[list[Effect]]:
    """Groups of effects, in which those of a function and those of its copies in other files are one."""
    found: dict[_Cause, list[list[Effect]]] = {}
    for group in groups:
        found.setdefault(_said(group), []).append(group)
    return [joined for alike in found.values() for joined in _joined(alike, root)]


def _joined(alike: list[list[Effect]], root: Path) -> Iterable[list[Effect]]:
    """`alike`: groups of which the same is said; most are alone."""
    if len(alike) == 1:
        return alike
    copies: dict[_Cause, list[list[Effect]]] = {}
    for group in sorted(alike, key=lambda group: group[0].diagnostic.span):
        text = tuple(sources.function_at(root / effect.path, effect.diagnostic.span.line) for effect in group)
        alone = () if all(text) else (group[0].diagnostic.span,)
        copies.setdefault((*text, *alone), []).append(group)
    return (joined for groups in copies.values() for joined in _of_files(groups))


def _of_files(groups: list[list[Effect]]) -> list[list[Effect]]:
    """The first of each file together: a function of one file is no copy of another one there."""
    paths = [group[0].path for group in groups]
    if len({*paths}) < len(paths):
        return groups
    return [[effect for group in groups for effect in group]]


def _said(group: list[Effect]) -> _Cause:
    """What the errors say; of those that have a class as their cause, which they name, only their place is alike."""
    if any(effect.culprit is not None or effect.origin is not None or effect.asked_by for effect in group):
        return (group[0].cause,)
    return tuple((effect.reported.code, effect.reported.problem, effect.reported.advice) for effect in group)
