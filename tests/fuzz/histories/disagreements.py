"""Finds where a mode differs from the cold run, and whether plain mypy differs in the same place."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from tests.fuzz.histories.checking import COLD, MODES, Bench
from tests.fuzz.histories.model import History
from tests.fuzz.histories.visits import Batch, Said, Stopped, settings_of


@dataclass(frozen=True)
class Disagreement:
    """A state of a history about which a mode reports something other than the cold run, or at which it stops."""

    history: History
    mode: str
    state: int
    expected: Said = ()
    found: Said = ()
    stopped: str = ""  # the output in that case

    @property
    def cause(self) -> str:
        """Returns a text that is the same for failures that are likely to be the same fault."""
        if self.stopped:
            return f"{self.mode}: {self.stopped.strip().splitlines()[-1]}"
        missing, added = set(self.expected) - set(self.found), set(self.found) - set(self.expected)
        codes = {"misses": {one.code for one in missing}, "keeps": {one.code for one in added}}
        said = [f"{verb} {', '.join(sorted(which - {''}) or ['notes'])}" for verb, which in codes.items() if which]
        return f"{self.mode}: {' and '.join(said)}"

    @property
    def details(self) -> str:
        if self.stopped:
            return self.stopped
        lines = difflib.ndiff(_lines(self.expected), _lines(self.found))
        return "\n".join(f"state {self.state}  {line}" for line in lines if line[0] in "+-")


def disagreements(
    histories: Sequence[History], bench: Bench, plain: Bench, modes: Sequence[str] = tuple(MODES)
) -> Iterator[Disagreement]:
    """Returns the first disagreement of each history and mode that plain mypy does not share."""
    for batch, mode in product(_batches(histories, bench), modes):
        if mode != COLD:
            found = [states for states in _compare(batch, bench, mode, said_of=_of_modules) if states]
            suspects = plain.numbered([states[0].history for states in found])
            for states, of_plain in zip(found, _compare(suspects, plain, mode, said_of=_of_files), strict=True):
                excused = {one.state for one in of_plain}
                yield from [one for one in states if one.state not in excused][:1]


def _batches(histories: Sequence[History], bench: Bench) -> Iterator[Batch]:
    """Groups histories into runs of mypy: their settings must agree, as long as both last."""
    groups: dict[tuple[str, ...], list[History]] = {}
    for history in sorted(histories, key=len, reverse=True):
        settings = settings_of(history)
        fitting = (longer for longer in groups if longer[: len(settings)] == settings)
        groups.setdefault(next(fitting, settings), []).append(history)
    for group in groups.values():
        yield bench.numbered(group)


def _of_files(said: Said) -> Said:
    """Drops reports about a module that is alternately a file and a stub: mypy's daemon keeps using one of them."""
    return said


def _of_modules(said: Said) -> Said:
    return tuple(sorted(replace(report, file=report.file.removesuffix("i")) for report in said))


def _compare(batch: Batch, bench: Bench, mode: str, said_of: Callable[[Said], Said]) -> Iterator[list[Disagreement]]:
    """Compares the states of each history; histories at which mypy stops are found by bisection."""
    if not batch:
        return
    try:
        cold, walks = bench.check(COLD, batch), bench.check(mode, batch)
    except Stopped as stop:
        if len(batch) == 1:
            yield [Disagreement(batch[0][1], mode, 0, stopped=str(stop))]
            return
        histories, middle = [history for _, history in batch], len(batch) // 2
        yield from _compare(bench.numbered(histories[:middle]), bench, mode, said_of)
        yield from _compare(bench.numbered(histories[middle:]), bench, mode, said_of)
        return
    for (_, history), *both in zip(batch, cold, walks, strict=True):
        states = enumerate(zip(*(map(said_of, walk) for walk in both), strict=True))
        yield [Disagreement(history, mode, state, *pair) for state, pair in states if pair[0] != pair[1]]


def _lines(said: Said) -> list[str]:
    return [f"{report.file}:{report.line}: {report}" for report in said]
