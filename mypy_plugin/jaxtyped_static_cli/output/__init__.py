"""The formats of `check`: each has a file with `write(report, console)`."""

from collections.abc import Callable, Mapping
from typing import Final

from rich.console import Console

from ..report import Report
from . import concise, full, github, gitlab, json_, sarif

Write = Callable[[Report, Console], None]

FORMATS: Final[Mapping[str, Write]] = {
    "full": full.write,
    "concise": concise.write,
    "json": json_.write,
    "github": github.write,
    "gitlab": gitlab.write,
    "sarif": sarif.write,
}
# Formats that people read: they end with a summary.
FOR_PEOPLE: Final = frozenset({"full", "concise"})
# Formats that show which findings can be fixed, which takes a while to find out.
WITH_FIXES: Final = frozenset({"full", "json"})
