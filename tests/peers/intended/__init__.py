"""Which tests of a peer are meant to fail, and why: a file for each suite, with reasons and names of tests."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import NamedTuple


class Reason(NamedTuple):
    """Why some tests fail.

    Attributes:
        why: the printed reason.
        error: a pattern for their error.
        tests: their names.
    """

    why: str
    error: re.Pattern[str]
    tests: tuple[str, ...]


def reasons(suite: str) -> list[Reason]:
    """Returns the reasons for a suite; none if all of it must pass."""
    file = Path(__file__).with_name(f"{suite}.toml")
    if not file.exists():
        return []
    read = tomllib.loads(file.read_text(encoding="utf-8"))["reason"]
    return [Reason(each["why"], re.compile(each["error"]), tuple(each["tests"])) for each in read]
