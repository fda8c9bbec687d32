"""Remembers which findings have a fix: to find out means to load LibCST, which takes as long as a warm check."""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from jaxtyped_static_mypy.digest import digest

from ..cache.sealing import replace
from ..editing.permission import Permission
from ..files.python_files import find_files, is_of_library
from ..findings.causes import Finding
from ..findings.report import Fixable
from ..mypy_runs.runs import Outcome
from ..project.roots import Project

_FILE: Final = "fixable.json"
_OWN: Final = Path(__file__).parent.parent


class _Known(NamedTuple):
    """What was found out the last time."""

    of: str  # the command's code, the project, and which files it depends on
    states: str  # of these files
    fixes: list[tuple[str, Fixable | None]]  # for each finding, in order, what names it on any line


def fixable(
    outcome: Outcome, findings: list[Finding], project: Project, allowed: Permission, cache: Path, *, exactly: bool
) -> Mapping[Finding, Fixable]:
    """What would be done about each finding that has a fix; as last time if no file of the project has changed.

    Unless it has to be `exactly` so, also as last time if files were only edited, and all of the findings were there. A
    fix may look at any file, but seldom depends on what was edited; and `--fix` proves each fix anyway.
    """
    files = sorted({*find_files([project.whole], (), project.root), *_checked(outcome)})
    of = _digest(digest(), digest(_OWN), str(project), str(allowed), list(map(str, files)))
    known = _read(cache / _FILE, of)
    if known is not None and not exactly:
        fixes = dict(known.fixes)
        if fixes.keys() >= {_name(finding) for finding in findings}:
            return _mapping((finding, fixes[_name(finding)]) for finding in findings)
    states = _digest(list(map(_state, files)), findings)
    if known is not None and known.states == states:
        return _mapping(zip(findings, (fix for _, fix in known.fixes), strict=True))
    from .running import find_fixes  # loads LibCST

    found = find_fixes(outcome, findings, project, allowed)
    _write(cache / _FILE, _Known(of, states, [(_name(finding), found.get(finding)) for finding in findings]))
    return found


def _mapping(fixes: Iterable[tuple[Finding, Fixable | None]]) -> dict[Finding, Fixable]:
    return {finding: fix for finding, fix in fixes if fix is not None}


def _read(file: Path, of: str) -> _Known | None:
    """None if nothing is known, or what is written there is damaged or about something else."""
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
        kept = json.loads(file.read_bytes())
        if kept["of"] == of and kept["digest"] == _digest(kept["of"], kept["states"], kept["fixes"]):
            fixes = [(name, Fixable(*fix) if fix is not None else None) for name, fix in kept["fixes"]]
            return _Known(of, kept["states"], fixes)
    return None


def _write(file: Path, known: _Known) -> None:
    with contextlib.suppress(OSError):
        replace(file, json.dumps({**known._asdict(), "digest": _digest(*known)}).encode())


def _name(finding: Finding) -> str:
    """Names a finding on any line."""
    return _digest(finding.key, finding.problem, finding.advice, finding.notes)


def _checked(outcome: Outcome) -> Iterator[Path]:
    for checked in outcome.checked:
        yield from (path for path in checked.modules.values() if not is_of_library(str(path)))


def _state(file: Path) -> tuple[str, int, int]:
    try:
        state = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), state.st_mtime_ns, state.st_size


def _digest(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
