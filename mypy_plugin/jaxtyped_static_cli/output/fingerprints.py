"""Identifies findings across runs, for services that follow them."""

import hashlib
from collections import Counter
from collections.abc import Sequence

from ..findings.causes import Finding


def fingerprints(findings: Sequence[Finding]) -> list[str]:
    """One for each finding, different for each.

    They are the same after edits elsewhere in its file, and do not depend on the order, which is that of the harm.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    marks = {}
    for index, finding in sorted(enumerate(findings), key=lambda one: one[1].span):
        seen[finding.key] += 1
        text = "\0".join((*finding.key, str(seen[finding.key])))
        marks[index] = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:32]
    return [marks[index] for index in range(len(findings))]
