"""A dataclass of which an annotated name is no variable does not end the run, as it ends mypy by itself."""

from pathlib import Path

import pytest

from tests.plugin.running import run_mypy

IMPORTS = """\
from collections import namedtuple
from dataclasses import dataclass, field
from enum import IntEnum
import enum
from typing import Any, ClassVar, NamedTuple, NewType, TypedDict
"""
LAST = "\n\nlast: int = '4'\n"

BODIES = {
    "enum": 'axes: ClassVar[Any] = IntEnum("axes", ["x", "y"])',
    "enum-of-module": 'axes: ClassVar[Any] = enum.IntEnum("axes", ["x", "y"])',
    "namedtuple": 'point: ClassVar[Any] = namedtuple("point", "x y")',
    "typed-namedtuple": 'point: ClassVar[Any] = NamedTuple("point", [("x", int)])',
    "new-type": 'Length: ClassVar[Any] = NewType("Length", int)',
    "typed-dict": 'Options: ClassVar[Any] = TypedDict("Options", {"x": int})',
    "method-above": "def area(self) -> int: ...\n    area: int = 3",
    "overwritten-property": "@property\n    def area(self) -> int: return 0\n    area: int = 3",
    "in-branches": "if True:\n        def area(self) -> int: ...\n    else:\n        area: int = 3",
    "below-branch": "if True:\n        class Part: ...\n    Part: Any = 3",
    "class-above": "class Part: ...\n    Part: Any = 3",
}


def test_mypy_checks_the_whole_file(tmp_path: Path) -> None:
    classes = [
        f"@dataclass\nclass {name.title().replace('-', '')}:\n    {body}\n    size: int = 0\n"
        for name, body in BODIES.items()
    ]
    printed = run_mypy(tmp_path, IMPORTS + "\n\n".join(classes) + LAST).out
    assert "INTERNAL ERROR" not in printed
    assert 'expression has type "str", variable has type "int"' in printed


@pytest.mark.parametrize("use", ["Field(size=1)", "Field(1).axes.x", "Field(1).at"])
def test_fields_remain_fields(use: str, tmp_path: Path) -> None:
    program = f"""{IMPORTS}

@dataclass
class Field:
    axes: ClassVar[Any] = IntEnum("axes", ["x", "y"])
    size: int
    at: list[int] = field(default_factory=list)


{use}
"""
    assert "Success" in run_mypy(tmp_path, program).out
