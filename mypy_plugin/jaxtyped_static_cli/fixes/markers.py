"""Writes an annotation as the note says: a marker around the whole type, or none."""

import re
from typing import Final

import libcst as cst

from jaxtyped_static_mypy.knowledge.full_names import PACKAGE

from ..editing.documents import Document
from ..editing.edits import Edit
from ..editing.imports import imported
from ..editing.parameters import Annotated, marked
from ..findings.causes import Finding
from .proofs.code import Code
from .proposals import Change, ProjectFiles, Spot, spot_of

_MARKERS: Final = frozenset({"Static", "Dynamic"})
_READING: Final = ("include_extras", "__annotations__", "get_annotations", "__metadata__")
_NOT_OURS: Final = "what reads the marker may leave it out where it is now, and run"


def move_marker(finding: Finding, files: ProjectFiles) -> Change | None:
    """static-marker. Safe for the markers of jaxtyped_static: what reads them raises if they are misplaced."""
    written = finding.reported.written
    spot = spot_of(finding, files) if written is not None else None
    annotation = _annotation(spot) if spot is not None else None
    if spot is None or written is None or annotation is None:
        return None
    old = annotation.annotation
    doubt = _why_read(files.code) if _is_ours(annotation, spot.document) else _NOT_OURS
    if isinstance(old, cst.SimpleString):
        quoted = old.with_changes(value=f"{old.prefix}{old.quote}{written.text}{old.quote}")
        return spot.change(Edit({old: quoted}), doubt)
    new = marked(spot.document, written.text)
    return spot.change(Edit({old: new[0]}, imports=new[1].imports), doubt) if new is not None else None


def _why_read(code: Code) -> str:
    """Where a program may itself look at annotations; nothing refuses what it finds there."""
    if code.unreadable:
        return code.unreadable
    for word in _READING:
        for source, use in code.mentioned(word):
            return f"{source.place(use)} mentions {word}, and may read the marker"
    return ""


def _is_ours(annotation: cst.Annotation, document: Document) -> bool:
    """Whether all markers in an annotation are those of jaxtyped_static."""
    known = {import_.bound: import_.full_name for import_ in imported(document.module)}
    text = document.code(annotation.annotation)
    found = [name for name in re.findall(r"[\w.]+", text) if name.rpartition(".")[2] in _MARKERS]
    full_names = (known.get(head, head) + dot + rest for head, dot, rest in (name.partition(".") for name in found))
    return bool(found) and all(name.startswith(f"{PACKAGE}.") for name in full_names)


def _annotation(spot: Spot) -> cst.Annotation | None:
    """The annotation that the marker is in, or that of the parameter or field at the place."""
    document = spot.document
    node: Annotated | None = document.starting_at(spot.place, cst.Param) or document.starting_at(
        spot.place, cst.AnnAssign
    )
    return node.annotation if node is not None else document.around(spot.place, cst.Annotation)
