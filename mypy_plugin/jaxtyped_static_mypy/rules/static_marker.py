"""static-marker: a marker that does nothing or contradicts itself."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import TypeInfo, Var
from mypy.plugin import AnalyzeTypeContext
from mypy.types import Type, TypeAliasType, UnboundType, UnionType

from ..classes import class_model
from ..jit.application import Application
from ..markers.annotations import AnnotationIndex, AnnotationPart, AnnotationPlace, render_annotation
from ..markers.lifting import lifted, unmarked
from ..markers.marker import Marker, marker_of
from ..reporting.errors import report, report_type
from ..reporting.finding import Written
from ..reporting.messages import Message, Statement
from ..source.checked_file import CheckedFile
from . import CODES
from ._marker_unread import check_aliases, check_beside, check_fields_beside, check_names

CODE: Final = CODES["static-marker"]


class _MarkerProblem(NamedTuple):
    statement: Statement
    instead: str | None = None  # what to write


def check_marker(ctx: AnalyzeTypeContext, typ: Type, index: AnnotationIndex) -> None:
    """Reports a marker that has no effect where it stands. `typ`: mypy's analysis of it."""
    node = ctx.type
    problem = _problem(node, _applied(typ), index.part(node))
    if problem is not None:
        report_type(ctx, node, problem.statement, CODE, Written.instead(problem.instead))


def check_class(info: TypeInfo, file: CheckedFile) -> None:
    """Reports markers of fields that have no effect beside the type, or contradict the class."""
    check_fields_beside(info, file)
    if class_model.is_declared_static(info, file.settings.static_bases):
        for node in fields_marked_dynamic(info):
            report(file, node, _IN_STATIC_CLASS.fill(name=node.name, cls=info.name), CODE)


def check_parameters(application: Application) -> bool:
    """Reports annotations that the runtime refuses, other than by `check_marker`; returns whether there is none."""
    results = [check(application) for check in (check_beside, check_aliases, check_names)]
    return all(results)


def _applied(typ: Type) -> TypeAliasType | None:
    """The alias that mypy made of a marker, which `n: Static[int] = None` may put into a union."""
    items = typ.items if isinstance(typ, UnionType) else [typ]
    return next((item for item in items if isinstance(item, TypeAliasType)), None)


def _problem(node: UnboundType, applied: TypeAliasType | None, part: AnnotationPart | None) -> _MarkerProblem | None:
    if applied is None or applied.alias is None:
        return None  # not a marker, or mypy reported it
    name = node.name.rpartition(".")[2]
    missing = [variable for variable in applied.alias.alias_tvars if not variable.has_default()]
    if missing and not node.args:
        return _MarkerProblem(_BARE.fill(name=name, types=", ".join(variable.name.lstrip("_") for variable in missing)))
    if node.args and applied.args and marker_of(applied.args[0]) is not None:
        return _marked_twice(node, node.args[0])
    if part is None or part.place not in _MISPLACED:
        return None
    message, instead = _MISPLACED[part.place], None
    if part.place is AnnotationPlace.NESTED:
        instead = lifted(part.whole, node)
        message = message if instead is not None else _NOT_LIFTED
    elif part.place is not AnnotationPlace.UNJITTED:
        instead = unmarked(part.whole, node)
    return _MarkerProblem(message.fill(name=name, written=render_annotation(part.whole)), instead)


_BARE: Final = Message("{name} does nothing without a type", "write {name}[{types}]", kind="bare-marker")
_TWICE: Final = Message("{written} marks a type twice", "keep one of the markers", kind="marked-twice")
_NESTED: Final = "{name} does nothing inside {written}: a marker must be around the whole type"
_NOT_LIFTED: Final = Message(_NESTED, "give what is {name} a parameter or field of its own", kind="nested-marker")
_MISPLACED: Final = {
    AnnotationPlace.NESTED: Message(_NESTED, "move it there", kind="nested-marker"),
    AnnotationPlace.NO_FIELD: Message(
        "{name} does nothing inside {written}, which is not a field", "remove it", kind="marker-of-no-field"
    ),
    AnnotationPlace.RETURN: Message("{name} does nothing in a return annotation", "remove it", kind="marked-return"),
    AnnotationPlace.UNJITTED: Message(
        "{name} does nothing on a parameter of a function that this file never jits",
        "remove it, or jit the function",
        kind="marked-unjitted",
    ),
}


def _marked_twice(outer: UnboundType, inner: Type) -> _MarkerProblem:
    is_same = isinstance(inner, UnboundType) and inner.name == outer.name
    return _MarkerProblem(_TWICE.fill(written=render_annotation(outer)), render_annotation(inner) if is_same else None)


_IN_STATIC_CLASS: Final = Message(
    '"{name}" is marked Dynamic, but every field of the static class {cls} is static',
    "remove the marker, or make the class a @dynamic_dataclass and mark its static fields Static",
    kind="dynamic-in-static-class",
)


def fields_marked_dynamic(info: TypeInfo) -> Iterator[Var]:
    """Yields the variables that the class statement of a static class marks dynamic.

    That is the one error about such a field: whether its values may be static was not meant to matter.
    """
    for symbol in info.names.values():
        node = symbol.node
        if isinstance(node, Var) and node.line >= 0 and marker_of(node.type) is Marker.DYNAMIC:
            yield node
