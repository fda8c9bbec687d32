"""What findings cost in a recorded run, and what that run shows that no finding explains."""

from __future__ import annotations

import ast
import contextlib
import functools
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from jaxtyped_static_mypy.reporting.harm import Harm
from jaxtyped_static_runs.model import Preparation, Run, What

from .causes import Finding

_COSTLY = frozenset({What.AGAIN, What.OPERATION})
# What a recording shows: a wrong number, or an exception, has no seconds.
_MEASURED = frozenset({Harm.RECOMPILES, Harm.RECOMPUTES})


class Cost(NamedTuple):
    """What a finding cost: programs that were compiled again or outside of jit at its lines, and their seconds."""

    seconds: float
    programs: int


class Costs:
    """The costs of findings in one run."""

    def __init__(self, run: Run, root: Path) -> None:
        self._run = run
        self._root = root
        # A run asks for the same few files thousands of times.
        self._run_path = functools.cache(lambda file: os.path.realpath(run.path(file)))
        self._costly = [one for one in run.preparations if one.what in _COSTLY]
        self._at: defaultdict[tuple[str, int], list[Preparation]] = defaultdict(list)
        for one in self._costly:
            for place in set(self._lines_of(one)):
                self._at[place].append(one)

    def of(self, finding: Finding) -> Cost | None:
        """Returns what a finding cost; None if it is about something that a recording does not show."""
        if finding.harm not in _MEASURED and not finding.harm.is_potential:
            return None
        found = self._matching(finding).values()
        return Cost(sum(one.seconds.total for one in found), len(found))

    def unexplained(self, findings: Iterable[Finding]) -> Run:
        """Returns the run with what was compiled again or outside of jit, but at no line of a finding."""
        explained = {number for finding in findings for number in self._matching(finding)}
        rest = tuple(one for one in self._costly if one.number not in explained)
        return replace(self._run, preparations=rest)

    def ordered(self, findings: Iterable[Finding], costs: Mapping[Finding, Cost]) -> tuple[Finding, ...]:
        """Returns the findings, those that cost most first; the others stay in their order."""
        return tuple(sorted(findings, key=lambda finding: -(costs[finding].seconds if finding in costs else 0.0)))

    def _matching(self, finding: Finding) -> dict[int, Preparation]:
        return {one.number: one for place in set(self._lines(finding)) for one in self._at.get(place, ())}

    def _lines(self, finding: Finding) -> Iterator[tuple[str, int]]:
        """The lines of a finding, and those that it gives as evidence or positions."""
        for span in (finding.span, *(position.span for position in finding.positions)):
            path = self._path(span.path)
            yield from ((path, line) for line in range(span.line, span.end_line + 1))
        yield from ((self._path(shown.file), shown.line) for shown in finding.evidence if shown.line is not None)

    def _path(self, path: str) -> str:
        return os.path.realpath(self._root / path)

    def _lines_of(self, preparation: Preparation) -> Iterator[tuple[str, int]]:
        """The statement that asked for a program, and the line where its function is defined."""
        if preparation.function.file:
            yield self._run_path(preparation.function.file), preparation.function.line
        if preparation.line is not None:
            path = self._run_path(preparation.line.file)
            yield from ((path, line) for line in _statement(path, preparation.line.line))

    def mismatch(self, files: Iterable[Path]) -> str:
        """Returns why the run may say nothing of these files; empty if it does."""
        paths = {os.path.realpath(file) for file in files}
        shown = {path for path, _ in self._at} & paths
        if self._costly and not shown:
            return f"the run in {self._run.folder or 'another folder'} has no line of these files"
        with contextlib.suppress(ValueError, OSError):
            began = datetime.fromisoformat(self._run.started).timestamp()
            changed = sorted(os.path.relpath(path) for path in shown if int(Path(path).stat().st_mtime) > began)
            if changed:
                return f"{', '.join(changed[:3])} changed since the run, so its lines may be others"
        return ""


def _statement(path: str, line: int) -> range:
    """Returns the lines of the simple statement around a line: a call may span several."""
    for start, end in _statements(path):
        if start <= line <= end:
            return range(start, end + 1)
    return range(line, line + 1)


@functools.lru_cache(maxsize=64)
def _statements(path: str) -> tuple[tuple[int, int], ...]:
    """Returns the simple statements of a file that span several lines."""
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError):
        return ()
    return tuple(
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and node.end_lineno != node.lineno
    )
