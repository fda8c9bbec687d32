"""The reviewed findings of each program: where and what each one is, the reason why it is true, and the plugin's words.

A review holds for a place (path, line and code). The words are the plugin's, and `--update` keeps them as they are now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.real.findings import Finding
from tests.real.packages import Package

_FOLDER = Path(__file__).parent / "golden"
_UNKNOWN = "?"
_ENTRY = re.compile(r"(?P<place>\S.*)\n    why:(?P<reason>.*)\n    says:(?P<message>.*)\n")


@dataclass(frozen=True)
class Reviewed:
    """One entry of a golden file."""

    place: str
    reason: str
    message: str

    def __str__(self) -> str:
        return f"{self.place} {self.message}"

    @property
    def is_explained(self) -> bool:
        return bool(self.reason) and not self.reason.startswith(_UNKNOWN)


def golden_file(package: Package) -> Path:
    return _FOLDER / f"{package.name}.txt"


def read(package: Package) -> list[Reviewed]:
    """The package's entries; none for one that was never reviewed. Raises ValueError for text that is no entry."""
    file = golden_file(package)
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if rest := _ENTRY.sub("", text):
        raise ValueError(f"{file}: not an entry: {rest.splitlines()[0]}")
    return [Reviewed(*(part.strip() for part in entry.groups())) for entry in _ENTRY.finditer(text)]


def write(package: Package, findings: Iterable[Finding]) -> None:
    """Replace the package's entries. A place that is known keeps its reason; a new one waits for one."""
    entries = [_entry(finding, earlier) for finding, earlier in _matched(package, findings) if finding]
    text = "".join(f"{e.place}\n    why: {e.reason}\n    says: {e.message}\n" for e in entries)
    golden_file(package).write_text(text, encoding="utf-8")


def differences(package: Package, findings: Iterable[Finding]) -> list[str]:
    """The findings that were not reviewed, and those that are gone, as lines to print."""
    matched = _matched(package, findings)
    return [
        *(f"not found any more: {reviewed}" for finding, reviewed in matched if finding is None),
        *(f"found, not reviewed: {finding}" for finding, reviewed in matched if reviewed is None),
    ]


def reworded(package: Package, findings: Iterable[Finding]) -> list[str]:
    """The findings that were reviewed in other words, as lines to print."""
    return [
        f"{finding.place}\n  - {reviewed.message}\n  + {finding.message}"
        for finding, reviewed in _matched(package, findings)
        if finding and reviewed and finding.message != reviewed.message
    ]


def unexplained(package: Package) -> list[str]:
    """The entries of the golden file without a reason."""
    return [str(entry) for entry in read(package) if not entry.is_explained]


def _entry(finding: Finding, earlier: Reviewed | None) -> Reviewed:
    return Reviewed(finding.place, earlier.reason if earlier else _UNKNOWN, finding.message)


Match = tuple[Finding | None, Reviewed | None]
Placed = TypeVar("Placed", Finding, Reviewed)


def _matched(package: Package, findings: Iterable[Finding]) -> list[Match]:
    """Each finding with its entry, place by place: (finding, None) is new and (None, entry) is gone."""
    found = _by_place(sorted(findings))
    known = _by_place(read(package))
    places = [*found, *(place for place in known if place not in found)]
    return [match for place in places for match in _matched_at(found.get(place, []), known.get(place, []))]


def _matched_at(found: Sequence[Finding], known: Sequence[Reviewed]) -> Iterator[Match]:
    """As many as were reviewed are the same ones, from left to right. Otherwise the words tell which are."""
    if len(found) == len(known):
        yield from zip(found, known, strict=True)
        return
    left = list(known)
    for finding in found:
        same = next((entry for entry in left if entry.message == finding.message), None)
        if same:
            left.remove(same)
        yield finding, same
    yield from ((None, entry) for entry in left)


def _by_place(items: Iterable[Placed]) -> Mapping[str, list[Placed]]:
    places: dict[str, list[Placed]] = {}
    for item in items:
        places.setdefault(item.place, []).append(item)
    return places
