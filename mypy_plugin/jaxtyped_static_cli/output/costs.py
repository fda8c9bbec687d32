"""What findings cost in a recorded run, in words."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ..findings.causes import Finding
from ..findings.report import Report
from ..terminal.saying import visible
from ..terminal.words import counted

if TYPE_CHECKING:
    from jaxtyped_static_runs.ranking import ByReason

_LISTED: Final = 5
_REASONS: Final = 2


def in_run(report: Report, finding: Finding) -> str:
    """What a finding cost."""
    # Imported on use, as below: few checks are given a run.
    from jaxtyped_static_runs.text import seconds

    cost = report.costs[finding]
    if not cost.programs:
        return "it cost nothing"
    return f"its lines cost {seconds(cost.seconds)}, {counted(cost.programs, 'program')}"


def unexplained(report: Report) -> Iterator[str]:
    """The costliest things that the run shows and no finding explains."""
    if report.unexplained is None:
        return
    # Imported on use, too.
    from jaxtyped_static_runs.ranking import compiled_again, outside_of_jit
    from jaxtyped_static_runs.text import seconds

    found = [
        *(
            (again.seconds, f"{again.function.name} was compiled again: {_first(again.by_reason)}", again.line)
            for again in compiled_again(report.unexplained)
        ),
        *(
            (outside.seconds, f"{', '.join(outside.names[:3])} outside of jit", outside.line)
            for outside in outside_of_jit(report.unexplained)
        ),
    ]
    if found:
        yield "The run shows, and no finding explains:"
    for spent, what, line in sorted(found, key=lambda row: -row[0])[:_LISTED]:
        yield visible(f"  {seconds(spent):>7}  {line or 'no line of the program'}: {what}")
    if len(found) > _LISTED:
        yield f"  ... and {len(found) - _LISTED} more"


def _first(by_reason: "Sequence[ByReason]") -> str:
    """The costliest reasons, each in its first words."""
    told = [str(one.reasons[0]) if one.reasons else "the call is not known" for one in by_reason]
    found = list(dict.fromkeys(told))[:_REASONS]
    more = len(set(told)) - len(found)
    return "; ".join(found) + (f"; and {more} more" if more > 0 else "")
