"""The part of static-marker that mypy does not analyse: a marker beside the type, as in `Annotated[int, Static]`.

Reported where the runtime rejects it: elsewhere nothing reads markers, so moving the marker would not help.
"""

from typing import Final

from mypy.nodes import FuncDef, RefExpr, TypeInfo
from mypy.types import CallableType, Type, UnboundType

from ..facts.class_body import ClassBody
from ..facts.class_facts import facts_of
from ..jit.application import Application, JitCall
from ..libraries.jaxtyped_static import DYNAMIC_DATACLASS
from ..markers.annotations import marker_beside, render
from ..markers.lifting import put_around
from ..reporting.errors import report
from ..reporting.finding import Written
from ..reporting.messages import Message, Statement
from ..source.checked_file import CheckedFile
from . import CODES

_CODE: Final = CODES["static-marker"]

_MESSAGE: Final = Message(
    '{kind} does nothing as metadata of "{name}", {written}: a marker must be around the whole type',
    "move it there",
    kind="marker-beside",
)


def check_parameters(application: Application) -> bool:
    """Reports parameters with a marker beside the type; returns whether there is none.

    For a function that is not compiled where it is defined, reports at the call that compiles it.
    """
    call, file = application.call, application.call.file
    function = call.function if application.arguments else _function_of_file(call)
    written = function.unanalyzed_type if function is not None else None
    if function is None or not isinstance(written, CallableType):
        return True
    found = False
    for argument, annotation in zip(function.arguments, written.arg_types, strict=True):
        marker = marker_beside(annotation, file.tree)
        if marker is not None:
            found = True
            # A replacement has to be for the line of its note; and JAX cannot make `**kwargs` static.
            is_here = bool(application.arguments) and not argument.kind.is_star()
            instead = put_around(annotation, marker) if is_here else None
            place = argument if application.arguments else call.context
            statement = _message(marker, annotation, argument.variable.name)
            report(file, place, statement, _CODE, written=Written.instead(instead))
    return not found


def check_class(info: TypeInfo, file: CheckedFile) -> None:
    """Checks the fields of a class whose decorator reads markers."""
    if not any(name in DYNAMIC_DATACLASS for name, _ in facts_of(info).get("decorators", ())):
        return
    for name, statement in ClassBody.of(info.defn).assignments:
        annotation = statement.unanalyzed_type
        marker = marker_beside(annotation, file.tree) if annotation is not None else None
        if annotation is not None and marker is not None:
            instead = Written.instead(put_around(annotation, marker))
            report(file, statement, _message(marker, annotation, name), _CODE, written=instead)


def _function_of_file(call: JitCall) -> FuncDef | None:
    """The function that is compiled by name, if this file defines it: the cache does not keep annotations."""
    node = call.expression.node if isinstance(call.expression, RefExpr) else None
    if not isinstance(node, FuncDef) or node.info:
        return None
    return node if node.fullname in (node.name, f"{call.file.tree.fullname}.{node.name}") else None


def _message(marker: UnboundType, whole: Type, name: str) -> Statement:
    return _MESSAGE.fill(kind=marker.name.rpartition(".")[2], name=name, written=render(whole))
