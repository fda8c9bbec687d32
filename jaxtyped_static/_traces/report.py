"""The report of an explanation, as text."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from jaxtyped_static._traces.differences import Difference
from jaxtyped_static._traces.entry_differences import is_needless
from jaxtyped_static._traces.value_text import shortened

_MAX_LISTED: Final = 20
_MAX_REASONS: Final = 10
_LONGEST: Final = 200  # Of a dynamic argument, which is shown once, and of a call.
_HEADING: Final = re.compile(r"\s*\d+\. |\S")
_NOTHING_SEEN: Final = (
    "no visible difference: something else in JAX's configuration or context differs, "
    "or the compiled program was dropped, for example by the function's clear_cache()"
)


@dataclass(frozen=True)
class Trace:
    """One trace of a function.

    Attributes:
        call: the form of the call: `"step(x, n=5)"`.
        static: the values of the static arguments, and of parameters left at their defaults.
        dynamic: the types of the others: `"float32[8]"`.
        shown: the static values in short, as they were then.
        differences: how the call differs from the most similar earlier one; empty for the first call, and if no
            difference can be seen.
        compared_with: that earlier one: `"trace 1"`, or `"earlier 1"` for a program compiled before the recording; None
            if there was none.
        failed: whether the function raised while it was traced, so that no program was kept.
    """

    call: str
    static: Mapping[str, Any]
    dynamic: Mapping[str, str]
    shown: Mapping[str, str]
    differences: tuple[Difference, ...] = ()
    compared_with: str | None = None
    failed: bool = False

    @property
    def is_needless(self) -> bool:
        """Whether the values are those of an earlier trace, only written or made differently."""
        return bool(self.differences) and is_needless(self.differences)

    def __str__(self) -> str:
        return "\n".join(
            (f"{shortened(self.call, _LONGEST)}{_compared(self)}", *(f"  {line}" for line in _reasons(self)))
        )


def traces_text(traces: Sequence[Trace], first: int = 1) -> Iterator[str]:
    """Returns a numbered paragraph for each trace, and a summary."""
    for number, trace in enumerate(traces[:_MAX_LISTED], start=first):
        yield from _paragraph(number, trace)
    if len(traces) > _MAX_LISTED:
        yield f"     ... and {len(traces) - _MAX_LISTED} more"
    needless = [str(number) for number, trace in enumerate(traces, start=first) if trace.is_needless]
    if needless:
        yield f"needless, because another has the same values: {', '.join(needless[:_MAX_LISTED])}"


def report_html(text: str) -> str:
    """Returns a report for a notebook: the same text, in the notebook's own colours; only headings are bold."""
    lines = (f"<b>{line}</b>" if _HEADING.match(line) else line for line in html.escape(text).splitlines())
    return "\n".join(('<pre style="white-space: pre-wrap">', *lines, "</pre>"))


def earlier_text(entries: Sequence[Trace]) -> Iterator[str]:
    """Returns what JAX's cache held when the recording began."""
    if entries:
        yield f"compiled earlier: {len(entries)}"
        yield from traces_text(entries)


def referred_text(entries: Sequence[Trace], traces: Sequence[Trace]) -> Iterator[str]:
    """Returns the earlier programs that the traces are compared with."""
    names = {trace.compared_with for trace in traces[:_MAX_LISTED]}
    referred = [(number, entry) for number, entry in enumerate(entries, start=1) if f"earlier {number}" in names]
    if referred:
        yield f"compiled earlier, of {len(entries)}:"
    for number, entry in referred:
        yield from _paragraph(number, replace(entry, differences=(), compared_with=None))


def _paragraph(number: int, trace: Trace) -> Iterator[str]:
    head, *rest = str(trace).splitlines()
    yield f"{number:>3}. {head}"
    yield from (f"     {line}" for line in rest)


def _compared(trace: Trace) -> str:
    if trace.compared_with is None:
        return ""
    return f", like {trace.compared_with} except for" if trace.differences else f", like {trace.compared_with}"


def _reasons(trace: Trace) -> Iterator[str]:
    if trace.compared_with is None:
        yield from _values(trace)
    elif trace.differences:
        yield from map(str, trace.differences[:_MAX_REASONS])
        if len(trace.differences) > _MAX_REASONS:
            yield f"... and {len(trace.differences) - _MAX_REASONS} more"
    else:
        yield _NOTHING_SEEN
    if trace.failed:
        yield "it raised while it was traced, so no program was kept"


def _values(trace: Trace) -> Iterator[str]:
    yield from (f"{name}: {shortened(text, _LONGEST)}" for name, text in trace.dynamic.items())
    yield from (f"{name} = {text}" for name, text in trace.shown.items())
