"""What cost most: functions that were compiled again, and why, and lines that ran operations outside of jit."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

from jaxtyped_static_runs.model import Frame, Function, Preparation, Reason, Run, What

K = TypeVar("K", bound=Hashable)


class ByReason(NamedTuple):
    """What was compiled again for one reason.

    Attributes:
        reasons: those of the costliest; values may differ in the others.
        seconds: of all.
        programs: how many.
        varies: whether the values differ: `n: 1 → 2`, `n: 2 → 3`.
    """

    reasons: tuple[Reason, ...]
    seconds: float
    programs: int
    varies: bool


class Again(NamedTuple):
    """A function that was compiled again.

    Attributes:
        function: it.
        seconds: of all programs but the first.
        programs: how many there are, with the first.
        line: the line that asked for most of that.
        other_lines: how many other lines asked.
        by_reason: the costliest first.
    """

    function: Function
    seconds: float
    programs: int
    line: Frame | None
    other_lines: int
    by_reason: tuple[ByReason, ...]


class OutsideOfJit(NamedTuple):
    """A line that ran operations outside of jit.

    Attributes:
        line: it; None if no line of the program is known.
        seconds: of all.
        programs: how many.
        names: the operations, the costliest first.
        of_first: the seconds of the costliest.
    """

    line: Frame | None
    seconds: float
    programs: int
    names: tuple[str, ...]
    of_first: float


def of_kind(run: Run, what: What) -> tuple[Preparation, ...]:
    """Returns the preparations of one kind."""
    return tuple(preparation for preparation in run.preparations if preparation.what is what)


def seconds_of(preparations: Iterable[Preparation]) -> float:
    """Returns the seconds of all."""
    return sum(preparation.seconds.total for preparation in preparations)


def compiled_again(run: Run) -> tuple[Again, ...]:
    """Returns the functions that were compiled again, the costliest first."""
    first = Counter(preparation.function for preparation in of_kind(run, What.FIRST))
    groups = _grouped(of_kind(run, What.AGAIN), lambda preparation: preparation.function)
    return tuple(
        Again(
            function=function,
            seconds=seconds_of(group),
            programs=len(group) + first[function],
            line=_lines(group)[0],
            other_lines=len(_lines(group)) - 1,
            by_reason=_by_reason(group),
        )
        for function, group in groups
    )


def outside_of_jit(run: Run) -> tuple[OutsideOfJit, ...]:
    """Returns the lines that ran operations outside of jit, the costliest first."""
    groups = _grouped(of_kind(run, What.OPERATION), lambda preparation: preparation.line)
    return tuple(_outside(line, group) for line, group in groups)


def _outside(line: Frame | None, group: Sequence[Preparation]) -> OutsideOfJit:
    by_name = _grouped(group, lambda preparation: preparation.function.name)
    names = tuple(name for name, _ in by_name)
    return OutsideOfJit(line, seconds_of(group), len(group), names, seconds_of(by_name[0][1]))


def by_library_line(run: Run) -> tuple[tuple[Frame, float, int], ...]:
    """Returns the lines of libraries that asked for programs: seconds, and how many; the costliest first."""
    groups = _grouped(run.preparations, lambda preparation: preparation.library_line)
    return tuple((line, seconds_of(group), len(group)) for line, group in groups if line is not None)


def by_user_line(run: Run) -> tuple[tuple[Frame, float, int], ...]:
    """Returns the lines of the program that asked for programs: seconds, and how many; the costliest first."""
    groups = _grouped(run.preparations, lambda preparation: preparation.line)
    return tuple((line, seconds_of(group), len(group)) for line, group in groups if line is not None)


def _by_reason(group: Sequence[Preparation]) -> tuple[ByReason, ...]:
    found = _grouped(group, lambda preparation: tuple(_kind_of(reason) for reason in preparation.reasons))
    return tuple(
        ByReason(
            max(alike, key=lambda preparation: preparation.seconds.total).reasons,
            seconds_of(alike),
            len(alike),
            len({preparation.reasons for preparation in alike}) > 1,
        )
        for _, alike in found
    )


# What differs between reasons that are otherwise the same: numbers, shapes, quoted text, and values on both sides.
_VALUES: Final = re.compile(r"""\d[\w.+-]*|'[^']*'|"[^"]*"|\[[^\]]*\]""")
_PLAIN: Final = re.compile(r"^[^:;,]* → [^:;,]*$")


def _kind_of(reason: Reason) -> tuple[str, str, str | None]:
    """Returns what reasons with other values have in common: the argument, and the words without the values."""
    words = "→" if _PLAIN.match(reason.says) and not _TYPES.search(reason.says) else _VALUES.sub("", reason.says)
    return reason.path, words, reason.code


# Words that tell one kind of difference from another.
_TYPES: Final = re.compile(r"weakly|a Python|None|not there|committed|another|float|int|bool|complex|key<")


def _lines(group: Sequence[Preparation]) -> list[Frame | None]:
    """Returns the lines that asked, the costliest first."""
    return [line for line, _ in _grouped(group, lambda preparation: preparation.line)]


def _grouped(preparations: Iterable[Preparation], key: Callable[[Preparation], K]) -> list[tuple[K, list[Preparation]]]:
    """Returns groups with the same key, the costliest first."""
    groups: defaultdict[K, list[Preparation]] = defaultdict(list)
    for preparation in preparations:
        groups[key(preparation)].append(preparation)
    return sorted(groups.items(), key=lambda item: -seconds_of(item[1]))
