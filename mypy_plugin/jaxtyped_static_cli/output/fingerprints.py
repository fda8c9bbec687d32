"""Identifies findings across runs, for services that follow them."""

import hashlib
from collections import Counter
from collections.abc import Sequence

from ..findings.causes import Finding


def fingerprints(findings: Sequence[Finding]) -> list[str]:
    """One for each finding: the same after edits elsewhere in its file, and different for each."""
    seen: Counter[tuple[str, str, str]] = Counter()
    marks = []
    for finding in findings:
        seen[finding.key] += 1
        text = "\0".join((*finding.key, str(seen[finding.key])))
        marks.append(hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:32])
    return marks
