"""The formats of `check`: each has a file with `write(report, console)`.

What the checked code says reaches people, and logs that act on lines, in visible characters only. JSON has escapes.
"""

from collections.abc import Callable, Mapping
from typing import Final

from rich.console import Console

from ..findings.report import Report, readable
from . import concise, full, github, gitlab, json_, sarif

Write = Callable[[Report, Console], None]


def _visibly(write: Write) -> Write:
    return lambda report, console: write(readable(report), console)


FORMATS: Final[Mapping[str, Write]] = {
    "full": _visibly(full.write),
    "concise": _visibly(concise.write),
    "json": json_.write,
    "github": _visibly(github.write),
    "gitlab": gitlab.write,
    "sarif": sarif.write,
}
# Formats that people read: they end with a summary.
FOR_PEOPLE: Final = frozenset({"full", "concise"})
# Formats that can say how many findings there are of each rule.
WITH_STATISTICS: Final = FOR_PEOPLE | {"json"}
# Formats that show which findings can be fixed, which takes a while to find out.
WITH_FIXES: Final = frozenset({"full", "json"})
