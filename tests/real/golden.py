"""The reviewed findings of each program: one line each, with the reason why it is true."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.real.findings import Finding
from tests.real.packages import Package

_FOLDER = Path(__file__).parent / "golden"
_SEPARATOR = "  # why: "
_UNKNOWN = "?"


def golden_file(package: Package) -> Path:
    return _FOLDER / f"{package.name}.txt"


def read(package: Package) -> dict[str, str]:
    """Finding → reason; empty for a package that was never reviewed."""
    file = golden_file(package)
    lines = file.read_text().splitlines() if file.exists() else []
    return {text: reason for text, _, reason in (line.partition(_SEPARATOR) for line in lines)}


def write(package: Package, findings: Iterable[Finding]) -> None:
    """Replace the package's findings, with their reasons where they are unchanged.

    A finding that is new, or now says something else, waits for a reason; the old one stays in sight.
    """
    reasons = read(package)
    by_place = {_place(text): reason for text, reason in reasons.items()}

    def reason(text: str) -> str:
        if text in reasons:
            return reasons[text]
        earlier = by_place.get(_place(text), "").removeprefix(_UNKNOWN).strip()
        return f"{_UNKNOWN} {earlier}".strip()

    lines = [f"{text}{_SEPARATOR}{reason(text)}\n" for text in map(str, findings)]
    golden_file(package).write_text("".join(lines))


def differences(package: Package, findings: Iterable[Finding]) -> list[str]:
    """What the findings and the golden file do not agree on, as lines to print."""
    found, expected = {str(finding) for finding in findings}, set(read(package))
    return [
        *(f"not found any more: {text}" for text in sorted(expected - found)),
        *(f"found, not reviewed: {text}" for text in sorted(found - expected)),
    ]


def unexplained(package: Package) -> list[str]:
    """The lines of the golden file without a reason."""
    return [text for text, reason in read(package).items() if not reason or reason.startswith(_UNKNOWN)]


def _place(text: str) -> str:
    """Path, line and code: the rules report one error for each."""
    return text.partition("]")[0]
