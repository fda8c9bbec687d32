"""The report on a run, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jaxtyped_static_runs.model import Frame, Preparation, Reason, Run, What
from jaxtyped_static_runs.ranking import (
    Again,
    ByReason,
    OutsideOfJit,
    compiled_again,
    of_kind,
    outside_of_jit,
    seconds_of,
)

_MOST: Final = 10
_MOST_REASONS: Final = 5
_MOST_PATHS: Final = 2
_WIDTH: Final = 100


def report(run: Run, most: int = _MOST) -> str:
    """Returns the report; `most`: how many functions and lines it lists."""
    lines = (*_head(run), *_verified(run), *_again(run, most), *_operations(run, most), *_rest(run))
    return "\n".join(map(visible, lines))


def visible(line: str) -> str:
    """Returns a line of text in which what a terminal would act on, or break the line at, is written out."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line)


def _head(run: Run) -> Iterator[str]:
    spent = run.preparing
    # Of a process that was killed, the time of the last program is the last that is known.
    how = {"exit 0": "", "killed": " until its last program (killed)"}.get(run.ended, f" ({run.ended})")
    several = f" in {run.processes} processes" if run.processes > 1 else ""
    if not spent.total:
        yield f"{run.program}: {seconds(run.seconds)}{several}{how}; JAX prepared no program"
        return
    parts = ", ".join(f"{name} {seconds(part)}" for name, part in zip(spent._fields, spent, strict=True))
    yield (
        f"{run.program}: {seconds(run.seconds)}{several}{how}, of which JAX spent {seconds(spent.total)} "
        f"({_share(spent.total, run.seconds)}) preparing programs: {parts}"
    )
    yield from _totals(run)


def _totals(run: Run) -> Iterator[str]:
    first, again, operations, traced = (of_kind(run, what) for what in What)
    rows = [
        ("compiled for the first time", first, _times(first) if run.processes > 1 else counted(len(first), "function")),
        ("compiled AGAIN", again, _times(again)),
        ("operations outside of jit", operations, counted(len(operations), "small program")),
        ("traced, but not compiled", traced, counted(len(traced), "time")),
    ]
    for name, part, count in rows:
        if part:
            yield f"  {name:<28}{seconds(seconds_of(part)):>8}   {count}"
    yield from _steps(run)
    if run.not_attributed.total >= 0.0005:
        beyond = f", with {counted(run.not_listed, 'program')} beyond the first {len(run.preparations)}"
        yield f"  {'not attributed':<28}{seconds(run.not_attributed.total):>8}{beyond if run.not_listed else ''}"
    on_disk = [preparation for preparation in run.preparations if preparation.on_disk is not None]
    if on_disk:
        found = sum(bool(preparation.on_disk) for preparation in on_disk)
        yield f"  JAX's cache on disk had {found} of {counted(len(on_disk), 'program')}"


def _steps(run: Run) -> Iterator[str]:
    """What was prepared in steps, which should be nothing after the first."""
    if not run.steps_from:
        return
    inside = [preparation for preparation in run.preparations if preparation.step]
    passes = sorted({preparation.step for preparation in inside if preparation.step})
    shown = ", ".join(map(str, passes[:_MOST])) + (", ..." if len(passes) > _MOST else "")
    where = f", in its {'pass' if len(passes) == 1 else 'passes'} {shown}" if passes else ""
    name = f"from {run.steps_from} on"
    yield f"  {name:<28}{seconds(seconds_of(inside)):>8}   {counted(len(inside), 'program')}{where}"


_CHANGED: Final = {
    True: "is stale: something that was compiled in has changed since, and JAX still runs the old program",
    False: "depends on when it is traced: each trace makes another program",
}


def _verified(run: Run) -> Iterator[str]:
    """What became of tracing everything again."""
    if run.verified is None:
        return
    left_out = f"; {run.verified.left_out} could not be compared" if run.verified.left_out else ""
    same = "" if run.verified.changed else ", all as they were"
    yield f"Traced again, twice: {counted(run.verified.programs, 'program')}{same}{left_out}"
    for changed in run.verified.changed:
        yield f"  {changed.function.name} ({changed.function.place}) {_CHANGED[changed.is_stale]}"
        yield from (f"      {difference}" for difference in changed.differences)


def _again(run: Run, most: int) -> Iterator[str]:
    found = compiled_again(run)
    if found:
        yield "Compiled again, by cost"
    for number, again in enumerate(found[:most], start=1):
        head = f"{number:>2}. {seconds(again.seconds):>7}  {again.function.name}: {counted(again.programs, 'program')}"
        yield _with_place(head, again.line, again.other_lines)
        for by_reason in again.by_reason[:_MOST_REASONS]:
            yield from _reason(by_reason)
        yield from _more(again.by_reason[_MOST_REASONS:], "      ")
    yield from _more(found[most:], "    ")


def _reason(by_reason: ByReason) -> Iterator[str]:
    times = (
        f" ({by_reason.programs} times{', with other values' if by_reason.varies else ''})"
        if by_reason.programs > 1
        else ""
    )
    first, *rest = alike(by_reason.reasons) or ["the call is not known"]
    yield f"      {seconds(by_reason.seconds):>7}  {first}{times}"
    yield from (f"{'':15}{reason}" for reason in rest)


def alike(reasons: Sequence[Reason]) -> list[str]:
    """Returns reasons as text, those that say the same of several arguments as one."""
    paths: dict[tuple[str, str | None], list[str]] = {}
    for reason in reasons:
        paths.setdefault((reason.says, reason.code), []).append(reason.path)
    return [str(Reason(_listed(names), *what)) for what, names in paths.items()]


def _listed(paths: Sequence[str]) -> str:
    more = len(paths) - _MOST_PATHS
    return ", ".join(paths[:_MOST_PATHS]) + (f" and {more} more" if more > 0 else "")


def _operations(run: Run, most: int) -> Iterator[str]:
    found = outside_of_jit(run)
    if found:
        yield "Operations outside of jit, by the line that ran them"
    for outside in found[:most]:
        where = f"{outside.line} {outside.line.function}" if outside.line is not None else "no line of the program"
        first, *others = outside.names[:3]
        first += f" {seconds(outside.of_first)}" if others else ""
        names = ", ".join((first, *others)) + (", ..." if len(outside.names) > 3 else "")
        yield f"    {seconds(outside.seconds):>7}  {where}: {counted(outside.programs, 'program')} ({names})"
    yield from _more(found[most:], "    ")


def _more(rest: Sequence[Again] | Sequence[OutsideOfJit] | Sequence[ByReason], indent: str) -> Iterator[str]:
    if rest:
        yield f"{indent}{seconds(sum(each.seconds for each in rest)):>7}  ... and {len(rest)} more"


def _rest(run: Run) -> Iterator[str]:
    yield from (f"Not recorded: {what}" for what in run.unknown)


def _with_place(head: str, line: Frame | None, other_lines: int) -> str:
    if line is None:
        return head
    others = f" and {counted(other_lines, 'other line')}" if other_lines else ""
    place = f"{line}{others}"
    return f"{head:<{_WIDTH - len(place) - 1}} {place}"


def _times(preparations: Sequence[Preparation]) -> str:
    functions = len({preparation.function for preparation in preparations})
    return f"{counted(len(preparations), 'time')}, {counted(functions, 'function')}"


def seconds(value: float) -> str:
    """Returns seconds for people: `108 s`, `5.3 s`, `0.04 s`."""
    return f"{value:.0f} s" if value >= 100 else f"{value:.1f} s" if value >= 1 else f"{value:.2f} s"


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if part <= whole else "in several threads at once"


def counted(count: int, what: str) -> str:
    """Returns a number with its word: `1 program`, `2 programs`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
