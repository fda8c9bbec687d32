"""The packages of the plugin are layers: each imports from those below it only."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import jaxtyped_static_mypy
from tests.layers import imports_from_above, layers_in

PLUGIN: Final = Path(jaxtyped_static_mypy.__file__).parent
# As docs/architecture.md draws them, from the top down.
LAYERS: Final = (
    *(
        "plugin",
        "hooks",
        "rules",
        "reporting",
        "flow",
        "judgement",
        "reach",
        "jit",
        "classes",
        "markers",
        "libraries",
        "facts",
    ),
    *("source", "compat", "syntax", "config", "memory", "knowledge", "digest"),
)


def test_no_layer_imports_from_one_above_it() -> None:
    assert imports_from_above(PLUGIN, LAYERS) == []


def test_every_package_is_a_layer() -> None:
    assert layers_in(PLUGIN) == set(LAYERS)
