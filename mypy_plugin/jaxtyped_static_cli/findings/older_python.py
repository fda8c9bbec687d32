"""Findings that are none below a release of Python, in a project that asks for an earlier one."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from jaxtyped_static_mypy.reporting.harm import Harm

from ..project.pythons import asks_before
from .effects import Effect
from .program import ProgramUses

_SINCE: Final[Mapping[str, int]] = {"array-default": 11}  # of Python 3, by the kind of a finding


def with_older_python(effects: Iterable[Effect], program: ProgramUses) -> Iterator[Effect]:
    """The effects; what an earlier Python accepts is potential where the project says that it is for that."""
    for effect in effects:
        since = _SINCE.get(effect.reported.kind)
        folder = (program.root / effect.path).parent
        said = asks_before(since, folder, program.root) if since is not None else None
        yield effect if said is None else _noted(effect, said)


def _noted(effect: Effect, said: str) -> Effect:
    notes = (*effect.diagnostic.notes, said)
    return effect._replace(
        reported=effect.reported._replace(harm=Harm.POTENTIAL), diagnostic=effect.diagnostic._replace(notes=notes)
    )
