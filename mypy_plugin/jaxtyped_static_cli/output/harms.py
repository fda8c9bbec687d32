"""How bad a harm is, and what it is called."""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from jaxtyped_static_mypy.reporting.harm import Harm

from ..terminal.words import counted


class Level(Enum):
    """How bad a finding is, for services that know such levels; each format has its own names for them."""

    ERROR = auto()
    WARNING = auto()
    NOTE = auto()


class _Words(NamedTuple):
    does: str  # what a finding does to the program
    noun: str


_ERRORS: Final = frozenset({Harm.WRONG, Harm.RAISES, Harm.LEAKS})
_WORDS: Final[Mapping[Harm, _Words]] = {
    Harm.WRONG: _Words("gives a wrong number", "wrong number"),
    Harm.RAISES: _Words("raises an exception", "exception"),
    Harm.LEAKS: _Words("leaks a tracer", "leaked tracer"),
    Harm.RECOMPILES: _Words("compiles again", "recompilation"),
    Harm.RECOMPUTES: _Words("computes again what was cached", "lost cache"),
    Harm.CONTRACT: _Words("breaks the contract that the code declares", "broken contract"),
    Harm.POTENTIAL: _Words("none that the program shows", "potential finding"),
}


def level(harm: Harm) -> Level:
    if harm in _ERRORS:
        return Level.ERROR
    return Level.NOTE if harm.is_potential else Level.WARNING


def does(harm: Harm) -> str:
    """What a finding does, in plain words."""
    return _WORDS[harm].does


def listed(counts: Mapping[Harm, int]) -> str:
    """`1 wrong number, 2 recompilations`: the worst first."""
    return ", ".join(counted(counts[harm], _WORDS[harm].noun) for harm in Harm if harm in counts)
