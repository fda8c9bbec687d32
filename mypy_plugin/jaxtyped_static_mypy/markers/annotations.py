"""Indexes the annotations of a file: semantic analysis does not say where an annotation with a marker stands."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import AssignmentStmt, Decorator, FuncDef, MypyFile
from mypy.types import CallableType, EllipsisType, RawExpressionType, Type, TypeList, UnboundType, UnionType, UnpackType

from ..knowledge.full_names import IMPORTED_MARKERS
from ..syntax.imports import imported_name
from ..syntax.trees import mentioned_names, statements

_TRANSPARENT: Final = ("Annotated", "Final", "ReadOnly", "Required", "NotRequired")
_ANNOTATED: Final = ("typing.Annotated", "typing_extensions.Annotated")
_NO_FIELDS: Final = ("ClassVar", "InitVar")
_MARKER_NAMES: Final = ("Static", "Dynamic")


class AnnotationPlace(Enum):
    """Where in a program a part of an annotation stands."""

    TOP = auto()  # the whole annotation of a field, variable or parameter
    UNJITTED = auto()  # the same, on a parameter of a function that this file never jits (strict mode)
    NESTED = auto()  # below a union, a container or a callable
    UNDER_MARKER = auto()
    NO_FIELD = auto()  # on a class variable or an `InitVar`, at any depth
    RETURN = auto()  # in a return annotation, at any depth


# Places that apply to every part of an annotation.
_LASTING: Final = (AnnotationPlace.NO_FIELD, AnnotationPlace.RETURN)


class AnnotationPart(NamedTuple):
    """A name in an annotation, as its place and the whole annotation."""

    place: AnnotationPlace
    whole: Type


class AnnotationIndex:
    """The parts of all annotations in a file, by identity: mypy analyses the same objects that it parsed."""

    def __init__(self, file: MypyFile, *, strict: bool) -> None:
        self.file = file  # keeps the parsed types alive, so that their ids stay unique
        self._parts: dict[int, AnnotationPart] = {}
        mentioned = frozenset(mentioned_names(file)) if strict else frozenset()
        for whole, place, function in _annotations(file):
            unjitted = strict and function not in (None, "__call__") and function not in mentioned
            self._add(whole, AnnotationPlace.UNJITTED if unjitted else place, whole)

    def part(self, node: Type) -> AnnotationPart | None:
        return self._parts.get(id(node))

    def _add(self, node: Type, place: AnnotationPlace, whole: Type) -> None:
        if isinstance(node, UnboundType):
            self._parts[id(node)] = AnnotationPart(place, whole)
            below = _place_below(node, place)
            for index, argument in enumerate(node.args):
                self._add(argument, below if index == 0 else _nested(below), whole)
            return
        for item in parts_below(node):
            self._add(item, _nested(place), whole)


def parts_below(node: Type) -> Sequence[Type]:
    """The types inside a type, as parsed."""
    if isinstance(node, UnboundType):
        return node.args
    if isinstance(node, UnpackType):
        return [node.type]
    if isinstance(node, CallableType):
        return node.arg_types
    return node.items if isinstance(node, (UnionType, TypeList)) else ()


def _nested(place: AnnotationPlace) -> AnnotationPlace:
    return place if place in _LASTING else AnnotationPlace.NESTED


def _place_below(node: UnboundType, place: AnnotationPlace) -> AnnotationPlace:
    name = node.name.rpartition(".")[2]
    if name in _MARKER_NAMES:
        return AnnotationPlace.UNDER_MARKER
    if name in _NO_FIELDS and place is AnnotationPlace.TOP:
        return AnnotationPlace.NO_FIELD
    return place if name in _TRANSPARENT or place in _LASTING else AnnotationPlace.NESTED


def _annotations(file: MypyFile) -> Iterator[tuple[Type, AnnotationPlace, str | None]]:
    """Every annotation as parsed, where it stands, and the function's name if it is a parameter's."""
    decorated: set[FuncDef] = set()
    for node in statements(file.defs):
        if isinstance(node, Decorator):
            decorated.add(node.func)
        elif isinstance(node, FuncDef) and isinstance(node.unanalyzed_type, CallableType):
            name = None if node in decorated else node.name
            yield from ((typ, AnnotationPlace.TOP, name) for typ in node.unanalyzed_type.arg_types)
            yield node.unanalyzed_type.ret_type, AnnotationPlace.RETURN, None
        elif isinstance(node, AssignmentStmt) and node.unanalyzed_type is not None:
            yield node.unanalyzed_type, AnnotationPlace.TOP, None


def marker_beside(node: Type, file: MypyFile) -> UnboundType | None:
    """The first marker beside a type, as in `Annotated[int, Static]`, at any depth.

    mypy analyses only the type in `Annotated`, so names beside it are looked up in the imports of the file.
    """
    below, beside = _parts_of(node, file)
    markers = (part for part in beside if isinstance(part, UnboundType) and _names_marker(part, file))
    deeper = (found for part in below if (found := marker_beside(part, file)) is not None)
    return next(markers, None) or next(deeper, None)


def _parts_of(node: Type, file: MypyFile) -> tuple[Sequence[Type], Sequence[Type]]:
    """The types inside an annotation, and what stands beside them in `Annotated`."""
    if isinstance(node, UnboundType):
        is_annotated = len(node.args) > 1 and imported_name(file, node.name) in _ANNOTATED
        return (node.args[:1], node.args[1:]) if is_annotated else (node.args, ())
    return parts_below(node), ()


def _names_marker(node: UnboundType, file: MypyFile) -> bool:
    return node.original_str_expr is None and imported_name(file, node.name) in IMPORTED_MARKERS


def render_annotation(node: Type) -> str:
    """Writes an annotation as it was written, close enough to be parsed again."""
    if isinstance(node, (UnboundType, UnionType)) and node.original_str_expr is not None:
        return f'"{node.original_str_expr}"'
    if isinstance(node, UnboundType):
        if node.name == "None" or not node.args:
            return node.name
        return f"{node.name}[{', '.join(render_annotation(argument) for argument in node.args)}]"
    if isinstance(node, UnionType):
        return " | ".join(render_annotation(item) for item in node.items)
    if isinstance(node, TypeList):
        return f"[{', '.join(render_annotation(item) for item in node.items)}]"
    if isinstance(node, UnpackType):
        return f"*{render_annotation(node.type)}"
    if isinstance(node, RawExpressionType):
        return repr(node.literal_value)
    if isinstance(node, EllipsisType):
        return "..."
    return str(node)
