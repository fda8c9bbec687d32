"""The packages of the command are layers: each imports from those below it only, and only entry points are modules."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import jaxtyped_static_cli
from tests.layers import imports_from_above, layers_in

COMMAND: Final = Path(jaxtyped_static_cli.__file__).parent
ENTRY_POINTS: Final = ("main", "reported")
# As docs/architecture.md draws them, from the top down.
LAYERS: Final = (
    *("commands", "output", "migrating", "fixes", "doctor", "census", "editing", "inspection", "findings"),
    *("mypy_runs", "cache", "compat", "project", "files", "terminal"),
)


def test_no_package_imports_from_one_above_it() -> None:
    assert imports_from_above(COMMAND, (*ENTRY_POINTS, *LAYERS)) == []


def test_every_package_is_a_layer() -> None:
    assert layers_in(COMMAND) == {*ENTRY_POINTS, *LAYERS}


def test_only_entry_points_are_modules() -> None:
    assert {path.stem for path in COMMAND.glob("*.py")} == {"__init__", *ENTRY_POINTS}
