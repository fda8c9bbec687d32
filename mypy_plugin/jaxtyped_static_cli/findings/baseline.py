"""A baseline: findings that are accepted for now, so that only new ones are reported.

A finding is identified by its file, code and subject, not by its line, so edits elsewhere in the file do not matter.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ..files.replacing import replace_content
from ..terminal.problems import Problem
from .causes import Finding

VERSION: Final = 1
_FIELDS: Final = ("path", "code", "subject")

FindingKey = tuple[str, str, str]


class Compared(NamedTuple):
    """Findings beside a baseline."""

    new: tuple[Finding, ...]
    accepted: int
    gone: tuple[FindingKey, ...]
    potential: int = 0  # findings that are not shown, because nothing in the program shows that they do harm


def write_baseline(file: Path, findings: Sequence[Finding], is_checked: Callable[[str], bool]) -> None:
    """Accepts the findings, and keeps what was accepted before in files that were not checked."""
    before = read_baseline(file) if file.exists() else Counter[FindingKey]()
    counts = Counter(finding.key for finding in findings)
    counts.update({key: count for key, count in before.items() if not is_checked(key[0])})
    rows = [{**dict(zip(_FIELDS, key, strict=True)), "count": counts[key]} for key in sorted(counts)]
    try:
        replace_content(file, (json.dumps({"version": VERSION, "findings": rows}, indent=1) + "\n").encode())
    except OSError as error:
        raise Problem(f"{file}: the baseline cannot be written: {error.strerror or error}") from None


def read_baseline(file: Path) -> Counter[FindingKey]:
    """How many findings are accepted under each key.

    Raises:
        Problem: there is no such file, or it is not a baseline.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            raise Problem(f"{file}: baseline version {data['version']!r} is unknown; --write-baseline writes it again")
        return Counter({(row["path"], row["code"], row["subject"]): int(row["count"]) for row in data["findings"]})
    except OSError as error:
        raise Problem(f"{file}: {error.strerror}; --write-baseline writes it") from None
    except (ValueError, KeyError, TypeError):
        raise Problem(f"{file} is not a baseline; --write-baseline writes one") from None


def compare(findings: Sequence[Finding], accepted: Counter[FindingKey], is_checked: Callable[[str], bool]) -> Compared:
    """`is_checked`: whether this run would have found what was in a file."""
    left = Counter(accepted)
    new = []
    for finding in findings:
        if left[finding.key] > 0:
            left[finding.key] -= 1
        else:
            new.append(finding)
    gone = sorted(key for key in left.elements() if is_checked(key[0]))
    return Compared(tuple(new), len(findings) - len(new), tuple(gone))
