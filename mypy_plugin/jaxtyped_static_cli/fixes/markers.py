"""Writes an annotation as the note says: a marker around the whole type, or none."""

import libcst as cst

from ..editing.edits import Edit
from ..findings import Finding
from .parameters import Annotated, marked
from .proposals import Change, Program, Spot, spot_of, written_instead


def move_marker(finding: Finding, program: Program) -> Change | None:
    """static-marker."""
    spot, text = spot_of(finding, program), written_instead(finding)
    annotation = _annotation(spot) if spot is not None else None
    if spot is None or text is None or annotation is None:
        return None
    old = annotation.annotation
    if isinstance(old, cst.SimpleString):
        quoted = old.with_changes(value=f"{old.prefix}{old.quote}{text}{old.quote}")
        return spot.change(Edit({old: quoted}), is_safe=True)
    written = marked(spot.document, text)
    if written is None:
        return None
    return spot.change(Edit({old: written[0]}, imports=written[1].imports), is_safe=True)


def _annotation(spot: Spot) -> cst.Annotation | None:
    """The annotation that the marker is in, or that of the parameter or field at the place."""
    document = spot.document
    node: Annotated | None = document.starting_at(spot.place, cst.Param) or document.starting_at(
        spot.place, cst.AnnAssign
    )
    return node.annotation if node is not None else document.around(spot.place, cst.Annotation)
