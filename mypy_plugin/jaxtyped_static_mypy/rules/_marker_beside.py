"""The part of static-marker that mypy does not analyse: a marker beside the type, as in `Annotated[int, Static]`.

Reported where the runtime rejects it: elsewhere nothing reads markers, so moving the marker would not help.
"""

from typing import Final

from mypy.nodes import FuncDef, RefExpr, TypeInfo
from mypy.plugin import CheckerPluginInterface, FunctionContext
from mypy.types import CallableType, Type, UnboundType

from ..compat import mypy_api
from ..config.settings import Settings
from ..facts.class_body import ClassBody
from ..facts.class_facts import facts_of
from ..jit.application import Application
from ..libraries.jaxtyped_static import DYNAMIC_DATACLASS
from ..markers.annotations import marker_beside, render
from ..markers.lifting import put_around
from ..reporting.errors import report
from ..reporting.finding import Written
from ..reporting.messages import Message, Statement
from . import CODES

_CODE: Final = CODES["static-marker"]

_MESSAGE: Final = Message(
    '{kind} does nothing as metadata of "{name}", {written}: a marker must be around the whole type',
    "move it there",
    kind="marker-beside",
)


def check_parameters(ctx: FunctionContext, application: Application) -> bool:
    """Reports parameters with a marker beside the type; returns whether there is none.

    For a function that is not compiled where it is defined, reports at the call that compiles it.
    """
    file = mypy_api.checked_file(ctx)
    function = application.function if application.arguments else _function_of_file(application, file.fullname)
    written = function.unanalyzed_type if function is not None else None
    if function is None or not isinstance(written, CallableType):
        return True
    found = False
    for argument, annotation in zip(function.arguments, written.arg_types, strict=True):
        marker = marker_beside(annotation, file)
        if marker is not None:
            found = True
            # A replacement has to be for the line of its note; and JAX cannot make `**kwargs` static.
            is_here = bool(application.arguments) and not argument.kind.is_star()
            instead = put_around(annotation, marker) if is_here else None
            place = argument if application.arguments else ctx.context
            statement = _message(marker, annotation, argument.variable.name)
            report(ctx.api, place, statement, _CODE, written=Written.instead(instead))
    return not found


def check_class(info: TypeInfo, settings: Settings, api: CheckerPluginInterface) -> None:
    """Checks the fields of a class whose decorator reads markers."""
    if not any(name in DYNAMIC_DATACLASS for name, _ in facts_of(info).get("decorators", ())):
        return
    for name, statement in ClassBody.of(info.defn).assignments:
        annotation = statement.unanalyzed_type
        marker = marker_beside(annotation, mypy_api.checked_tree(api)) if annotation is not None else None
        if annotation is not None and marker is not None:
            instead = Written.instead(put_around(annotation, marker))
            report(api, statement, _message(marker, annotation, name), _CODE, written=instead)


def _function_of_file(application: Application, module: str) -> FuncDef | None:
    """The function that is compiled by name, if this file defines it: the cache does not keep annotations."""
    node = application.expression.node if isinstance(application.expression, RefExpr) else None
    if not isinstance(node, FuncDef) or node.info:
        return None
    return node if node.fullname in (node.name, f"{module}.{node.name}") else None


def _message(marker: UnboundType, whole: Type, name: str) -> Statement:
    return _MESSAGE.fill(kind=marker.name.rpartition(".")[2], name=name, written=render(whole))
