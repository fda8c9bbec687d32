"""The part of static-marker about classes: `Dynamic[...]` on a field of a static class, all of whose fields are static.

It is the one error about such a field: whether its values may be static was not meant to matter.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import TypeInfo, Var

from ..classes import class_model
from ..markers.marker import Marker, marker_of
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from . import CODES

_MESSAGE: Final = Message(
    '"{name}" is marked Dynamic, but every field of the static class {cls} is static',
    "remove the marker, or make the class a @dynamic_dataclass and mark its static fields Static",
    kind="dynamic-in-static-class",
)


def check_class(info: TypeInfo, file: CheckedFile) -> None:
    """Reports the fields that the class statement marks dynamic."""
    if class_model.is_declared_static(info, file.settings.static_bases):
        for node in contradicted(info):
            report(file, node, _MESSAGE.fill(name=node.name, cls=info.name), CODES["static-marker"])


def contradicted(info: TypeInfo) -> Iterator[Var]:
    """Yields the variables that the class statement of a static class marks dynamic."""
    for symbol in info.names.values():
        node = symbol.node
        if isinstance(node, Var) and node.line >= 0 and marker_of(node.type) is Marker.DYNAMIC:
            yield node
