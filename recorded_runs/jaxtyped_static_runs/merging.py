"""Several processes of one program as one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jaxtyped_static_runs.model import Preparation, Run, Seconds


def merged(runs: Sequence[Run]) -> Run:
    """Returns one run with what all of them prepared; `runs`: at least one.

    Seconds are those of all processes together, so each share is that of the mean process.
    """
    if len(runs) == 1:
        return runs[0]
    preparations: list[Preparation] = []
    not_attributed = Seconds()
    for index, run in enumerate(runs):
        first = len(preparations)
        name = run.versions.get("process") or f"process {index}"
        for preparation in run.preparations:
            like = None if preparation.like is None else preparation.like + first
            thread = f"{name} {preparation.thread}".strip()
            preparations.append(replace(preparation, number=preparation.number + first, like=like, thread=thread))
        not_attributed = not_attributed.plus(run.not_attributed)
    return Run(
        program=runs[0].program,
        started=min(run.started for run in runs),
        folder=runs[0].folder,
        steps_from=runs[0].steps_from,
        versions={name: value for name, value in runs[0].versions.items() if name != "process"},
        seconds=sum(run.seconds for run in runs),
        ended=", ".join(dict.fromkeys(run.ended for run in runs)),
        processes=len(runs),
        preparations=tuple(preparations),
        not_attributed=not_attributed,
        not_listed=sum(run.not_listed for run in runs),
        unknown=tuple(dict.fromkeys(what for run in runs for what in run.unknown)),
    )
