"""Remembers which findings have a fix: to find out means to load LibCST, which takes half of a warm check."""

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from jaxtyped_static_mypy.digest import digest

from ..editing.permission import Permission
from ..files import find_files, is_of_library
from ..findings import Finding
from ..project import Project
from ..report import Fixable
from ..runs import Outcome

_FILE: Final = "fixable.json"
_OWN: Final = Path(__file__).parent.parent


def fixable(
    outcome: Outcome, findings: list[Finding], project: Project, allowed: Permission, cache: Path
) -> Mapping[Finding, Fixable]:
    """What would be done about each finding that has a fix; as last time if no file of the project has changed."""
    key, file = _key(outcome, findings, project, allowed), cache / _FILE
    known = _read(file, key)
    if known is not None:
        return {findings[int(index)]: Fixable(*values) for index, values in known.items()}
    from .running import find_fixes  # loads LibCST

    found = find_fixes(outcome, findings, project, allowed)
    fixes = {index: found[one] for index, one in enumerate(findings) if one in found}
    with contextlib.suppress(OSError):
        file.write_text(json.dumps({"key": key, "fixes": fixes}), encoding="utf-8")
    return found


def _read(file: Path, key: str) -> dict[str, tuple[str, bool]] | None:
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        return kept["fixes"] if kept["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _key(outcome: Outcome, findings: list[Finding], project: Project, allowed: Permission) -> str:
    """Everything the fixes depend on: a fix may look at any file of the project, and at those that were checked."""
    files = {*find_files([project.whole], (), project.root), *_checked(outcome)}
    states = sorted(_state(file) for file in files)
    parts = [digest(), digest(_OWN), str(project), str(allowed), states, findings]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _checked(outcome: Outcome) -> Iterator[Path]:
    for checked in outcome.checked:
        yield from (path for path in checked.modules.values() if not is_of_library(str(path)))


def _state(file: Path) -> tuple[str, int, int]:
    try:
        state = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), state.st_mtime_ns, state.st_size
