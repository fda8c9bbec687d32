"""What got worse since another run of the program.

Seconds vary from run to run, so what counts is how many programs were compiled: that is the same each time, unless the
program changed. A function that is new was compiled once for good reason; from then on it counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from jaxtyped_static_runs.model import Run, What
from jaxtyped_static_runs.text import counted, seconds, visible

_SHOWN = 20


class Change(NamedTuple):
    """A function, or a line outside of jit, and how many programs were compiled for it."""

    name: str
    before: int
    now: int


def compared(before: Run, now: Run) -> str:
    """Returns the report on what changed from one run to another."""
    changes = _changes(before, now)
    worse = [change for change in changes if _is_worse(change)]
    new = [change for change in changes if not change.before]
    better = [change for change in changes if change.now < change.before]
    lines = (
        f"{now.program}: {seconds(now.seconds)}, before {seconds(before.seconds)}; "
        f"preparing {counted(_programs(now).total(), 'program')} took {seconds(now.preparing.total)}, "
        f"before {seconds(before.preparing.total)} for {counted(_programs(before).total(), 'program')}",
        *_listed("Compiled more often than before", worse),
        *_listed("New", new),
        *_listed("Compiled less often than before", better),
        *(() if changes else ("The same programs were compiled as before",)),
    )
    return "\n".join(map(visible, lines))


def is_worse(before: Run, now: Run) -> bool:
    """Returns whether something was compiled more often; what is new is no worse than what it replaces."""
    return any(map(_is_worse, _changes(before, now)))


def _is_worse(change: Change) -> bool:
    return change.now > max(change.before, 1)


def _changes(before: Run, now: Run) -> list[Change]:
    old, new = _programs(before), _programs(now)
    changes = [Change(name, old[name], new[name]) for name in {**old, **new} if old[name] != new[name]]
    return sorted(changes, key=lambda change: (change.before - change.now, change.name))


def _programs(run: Run) -> Counter[str]:
    """Counts programs by what keeps its name when lines move, and when the program runs in another folder."""
    found: Counter[str] = Counter()
    for preparation in run.preparations:
        if preparation.what is What.OPERATION:
            line = preparation.line
            where = f"{_name(line.file)} {line.function}" if line is not None else "no line of the program"
            found[f"{preparation.function.name}, outside of jit in {where}"] += 1
        elif preparation.what is not What.TRACED:
            file = _name(preparation.function.file)
            found[f"{preparation.function.name}{f' in {file}' if file else ''}"] += 1
    return found


def _name(file: str) -> str:
    return file.replace("\\", "/").rpartition("/")[2]


def _listed(title: str, changes: list[Change]) -> Iterator[str]:
    if not changes:
        return
    yield title
    for change in changes[:_SHOWN]:
        yield f"  {change.before:>4} → {change.now:<4} {change.name}"
    if len(changes) > _SHOWN:
        yield f"  ... and {counted(len(changes) - _SHOWN, 'other')}"
