"""The reviewed findings of each program: the place, the reason why the finding is true, and the plugin's words.

A review is valid for a place (path, line and code). `--update` replaces the words by the plugin's current ones.
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
    """Returns the package's entries; none if it was never reviewed. Raises ValueError for a malformed entry."""
    file = golden_file(package)
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if rest := _ENTRY.sub("", text):
        raise ValueError(f"{file}: not an entry: {rest.splitlines()[0]}")
    return [Reviewed(*(part.strip() for part in entry.groups())) for entry in _ENTRY.finditer(text)]


def write(package: Package, findings: Iterable[Finding]) -> None:
    """Replaces the package's entries. A known place keeps its reason; a new one gets `?`."""
    entries = [_entry(finding, earlier) for finding, earlier in _matched(package, findings) if finding]
    text = "".join(f"{e.place}\n    why: {e.reason}\n    says: {e.message}\n" for e in entries)
    golden_file(package).write_text(text, encoding="utf-8")


def differences(package: Package, findings: Iterable[Finding]) -> list[str]:
    """Returns the findings that were not reviewed, and those that are gone, as lines to print."""
    matched = _matched(package, findings)
    return [
        *(f"no longer found: {reviewed}" for finding, reviewed in matched if finding is None),
        *(f"found, not reviewed: {finding}" for finding, reviewed in matched if reviewed is None),
    ]


def reworded(package: Package, findings: Iterable[Finding]) -> list[str]:
    """Returns the findings that were reviewed with other words, as lines to print."""
    return [
        f"{finding.place}\n  - {reviewed.message}\n  + {finding.message}"
        for finding, reviewed in _matched(package, findings)
        if finding and reviewed and finding.message != reviewed.message
    ]


def unexplained(package: Package) -> list[str]:
    """Returns the entries of the golden file without a reason."""
    return [str(entry) for entry in read(package) if not entry.is_explained]


def _entry(finding: Finding, earlier: Reviewed | None) -> Reviewed:
    return Reviewed(finding.place, earlier.reason if earlier else _UNKNOWN, finding.message)


Match = tuple[Finding | None, Reviewed | None]
Placed = TypeVar("Placed", Finding, Reviewed)


def _matched(package: Package, findings: Iterable[Finding]) -> list[Match]:
    """Pairs each finding with its entry, place by place: (finding, None) is new and (None, entry) is gone."""
    found = _by_place(sorted(findings))
    known = _by_place(read(package))
    places = [*found, *(place for place in known if place not in found)]
    return [match for place in places for match in _matched_at(found.get(place, []), known.get(place, []))]


def _matched_at(found: Sequence[Finding], known: Sequence[Reviewed]) -> Iterator[Match]:
    """Pairs findings and entries of one place: from left to right if there are as many, otherwise by their words."""
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
