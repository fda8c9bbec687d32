"""The page: its parts, and the run as data, put together."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Final

from jaxtyped_static_runs.model import Run
from jaxtyped_static_runs.page.data import data_of

# In the order in which they run, in one scope.
_SCRIPTS: Final = (
    "elements",
    "model",
    "searching",
    "describing",
    "head",
    "rows",
    "lists",
    "scales",
    "draw",
    "overview",
    "timeline",
    "pointing",
    "main",
)


def page(run: Run, source: Callable[[str, int], str] | None = None) -> str:
    """Returns the page; `source`: returns the text of a line of a file, or nothing if it is not known."""
    scripts = "\n".join(_text(f"{name}.js") for name in _SCRIPTS)
    parts = {
        "css": _text("page.css"),
        "data": _embedded(data_of(run, source)),
        "script": f"(() => {{\n{scripts}}})();",
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _text("page.html"))


def _text(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _embedded(data: object) -> str:
    """JSON that does not end the element it stands in."""
    return json.dumps(data, separators=(",", ":")).replace("<", r"\u003c")
