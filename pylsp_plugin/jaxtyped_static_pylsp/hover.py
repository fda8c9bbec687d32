"""What of a compiled function is static, and what role a class plays, from the last census."""

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from pylsp.workspace import Document

from jaxtyped_static_server.hover import class_text, function_text, without_markdown

from . import background

Json = Any


def text_at(document: Document, position: Json) -> str:
    """Markdown about the name at a position; empty if nothing is known of it."""
    census = background.last_census(Path(document.path))
    if census is None:
        return ""
    root, taken = census
    defined = set(_definitions(document, position))
    functions = (function_text(known) for known in taken["functions"] if _place(known, root) in defined)
    classes = (class_text(known, taken) for known in taken["classes"] if _place(known, root) in defined)
    return next(chain(functions, classes), "")


def added(shown: Json, text: str) -> Json:
    """A hover with a text below what it shows."""
    before = shown.get("contents") if isinstance(shown, dict) else None
    value = before.get("value", "") if isinstance(before, dict) else before if isinstance(before, str) else ""
    kind = before.get("kind", "markdown") if isinstance(before, dict) else "markdown"
    if kind == "plaintext":  # the editor shows no Markdown
        text = without_markdown(text)
    return {"contents": {"kind": kind, "value": f"{value.rstrip()}\n\n{text}".lstrip()}}


def _definitions(document: Document, position: Json) -> Iterator[tuple[str, int]]:
    """Where a name is defined, as far as Jedi finds it."""
    line, column = position["line"] + 1, position["character"]
    for name in document.jedi_script().goto(line, column, follow_imports=True):
        if name.module_path is not None and name.line is not None:
            yield os.path.realpath(name.module_path), name.line


def _place(one: Json, root: Path) -> tuple[str, int]:
    return os.path.realpath(root / one["path"]), one["line"]
