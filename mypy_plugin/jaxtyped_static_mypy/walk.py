"""A walk over a type: where it is, what it has looked at, and how it comes by the verdict on a class only once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from mypy.nodes import TypeAlias, TypeInfo

from .config import Settings
from .memory import MEMORY, Consulted, Key, Verdict
from .reasons import Fault, Reason

Path = tuple[str, ...]

# Reported at the offender itself, each one.
_OWN_PLACES: Final = (Reason.CACHED_ARRAY,)


@dataclass
class Frame:
    """A class that is being judged, or the judged type itself: what was looked at there."""

    lowest: int  # the outermost frame that a cycle of classes led back to
    seen: set[str] = field(default_factory=set)
    consulted: set[TypeInfo | TypeAlias] = field(default_factory=set)
    below: list[Consulted] = field(default_factory=list)

    def all_consulted(self) -> Consulted:
        return Consulted(tuple(self.consulted), tuple(self.below))


@dataclass
class Walk:
    """One walk, from the judged type down."""

    settings: Settings
    at_declaration: bool = False
    frames: list[Frame] = field(default_factory=lambda: [Frame(0)])
    # Classes that are being judged or belong to a cycle that is, and the outermost frame each waits for.
    unfinished: dict[Key, int] = field(default_factory=dict)

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def once(self, key: Key, judge: Callable[[], Iterator[Fault]]) -> tuple[Fault, ...]:
        """The faults of a class, with paths from the class; remembered, unless it is part of an unfinished cycle."""
        depth, outer = len(self.frames), self.frame
        known = MEMORY.verdicts.get(key)
        if known is not None:
            outer.below.append(known.consulted)
            return known.faults
        if key in self.unfinished:
            outer.lowest = min(outer.lowest, self.unfinished[key])
            return ()
        self.unfinished[key] = depth
        self.frames.append(Frame(depth))
        faults = _first_of_each(judge())
        frame = self.frames.pop()
        verdict = Verdict(faults, frame.all_consulted())
        outer.below.append(verdict.consulted)
        outer.lowest = min(outer.lowest, frame.lowest)
        self.unfinished[key] = frame.lowest
        if frame.lowest == depth:
            MEMORY.remember(key, verdict)
            self.unfinished = {other: lowest for other, lowest in self.unfinished.items() if lowest < depth}
        return faults


def depth(fault: Fault) -> int:
    return len(fault.path)


def _first_of_each(faults: Iterator[Fault]) -> tuple[Fault, ...]:
    """The outermost fault of each kind: no more is reported, and a class may have very many below it."""
    first: dict[tuple[Reason, str], Fault] = {}
    for fault in sorted(faults, key=depth):
        offender = f"{fault.subject}.{fault.detail}" if fault.reason in _OWN_PLACES else ""
        first.setdefault((fault.reason, offender), fault)
    return tuple(first.values())
