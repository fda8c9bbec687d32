"""What of a compiled function is static, and what role a class plays, from the last census."""

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final

from pylsp.workspace import Document

from . import background

Json = Any
_HEADING: Final = "jaxtyped-static"


def text_at(document: Document, position: Json) -> str:
    """Markdown about the name at a position; empty if nothing is known of it."""
    census = background.last_census(Path(document.path))
    if census is None:
        return ""
    root, taken = census
    defined = set(_definitions(document, position))
    names = {known["id"]: known["name"] for known in [*taken["functions"], *taken["classes"]]}
    functions = (_function(known) for known in taken["functions"] if _place(known, root) in defined)
    classes = (_class(known, names) for known in taken["classes"] if _place(known, root) in defined)
    return "\n".join(next(chain(functions, classes), ()))


def added(shown: Json, text: str) -> Json:
    """A hover with a text below what it shows."""
    before = shown.get("contents") if isinstance(shown, dict) else None
    value = before.get("value", "") if isinstance(before, dict) else before if isinstance(before, str) else ""
    kind = before.get("kind", "markdown") if isinstance(before, dict) else "markdown"
    if kind == "plaintext":  # the editor shows no Markdown
        text = text.replace("**", "").replace("`", "")
    return {"contents": {"kind": kind, "value": f"{value.rstrip()}\n\n{text}".lstrip()}}


def _definitions(document: Document, position: Json) -> Iterator[tuple[str, int]]:
    """Where a name is defined, as far as Jedi finds it."""
    line, column = position["line"] + 1, position["character"]
    for name in document.jedi_script().goto(line, column, follow_imports=True):
        if name.module_path is not None and name.line is not None:
            yield os.path.realpath(name.module_path), name.line


def _place(one: Json, root: Path) -> tuple[str, int]:
    return os.path.realpath(root / one["path"]), one["line"]


def _function(one: Json) -> Iterator[str]:
    yield f"**{_HEADING}**: compiled by `{one['compiler']}`"
    if one["unread"]:
        yield f"- its static parameters are unknown: {one['unread']}"
    for role in ("static", "dynamic"):
        parameters = [parameter for parameter in one["parameters"] if parameter["role"] == role]
        if parameters:
            yield f"- {role}: " + ", ".join(f"`{parameter['name']}: {parameter['type']}`" for parameter in parameters)
    donated = [parameter["name"] for parameter in one["parameters"] if parameter["donated"]]
    if donated:
        yield "- donated: " + ", ".join(f"`{name}`" for name in donated)
    for parameter in one["parameters"]:
        yield from _reasons(f"`{parameter['name']}`", parameter["reasons"])


def _class(one: Json, names: dict[str, str]) -> Iterator[str]:
    roles = " and ".join(one["roles"])
    yield f"**{_HEADING}**: {one['declared'] or 'a class'}, used as {roles}" if roles else f"**{_HEADING}**"
    for use in one["uses"][:5]:
        yield f"- {use['role']}: {_use(use, names)}"
    yield from _reasons(f"`{one['name']}`", one["reasons"])


def _use(use: Json, names: dict[str, str]) -> str:
    name = f" `{use['name']}`" if use["name"] else ""
    owner = f" of `{names.get(use['owner'], use['owner'])}`" if use["owner"] else ""
    return f"{use['kind']}{name}{owner}"


def _reasons(subject: str, reasons: Iterable[Json]) -> Iterator[str]:
    for reason in reasons:
        advice = f"; {reason['advice']}" if reason["advice"] else ""
        yield f"- {subject}{reason['path']}: {reason['problem']}{advice} ({reason['code']})"
