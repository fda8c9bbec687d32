"""static-marker: a marker that does nothing or contradicts itself."""

from collections.abc import Callable
from typing import Final, NamedTuple

from mypy.plugin import AnalyzeTypeContext
from mypy.types import AnyType, Type, TypeAliasType, TypeOfAny, UnboundType

from .. import compat
from ..annotations import AnnotationIndex, Part, Place, render
from ..codes import STATIC_MARKER
from ..lifting import lifted, unmarked
from ..markers import marker_of
from ..replacements import replacement

IndexOf = Callable[[AnalyzeTypeContext], AnnotationIndex]


class _Problem(NamedTuple):
    says: str
    instead: str | None = None  # what to write


def analyze_marker(ctx: AnalyzeTypeContext, fullname: str, index_of: IndexOf) -> Type:
    """Analyses `Static[T]` or `Dynamic[T]` as mypy would, and reports where it does nothing."""
    alias = compat.lookup_alias(ctx, fullname)
    if alias is None:
        return AnyType(TypeOfAny.from_error)
    compat.record_alias_use(ctx, fullname)
    node = ctx.type
    arity = len(alias.alias_tvars)
    arguments = [ctx.api.analyze_type(argument) for argument in node.args[:arity]]
    problem = _problem(node, arguments, index_of(ctx).part(node), arity)
    if problem is not None:
        ctx.api.fail(problem.says, node, code=STATIC_MARKER)
    if problem is not None and problem.instead is not None:
        compat.type_note(ctx, replacement(problem.instead), node, STATIC_MARKER)
    missing = [AnyType(TypeOfAny.from_omitted_generics)] * (arity - len(arguments))
    return TypeAliasType(alias, [*arguments, *missing], node.line, node.column)


def _problem(node: UnboundType, arguments: list[Type], part: Part | None, arity: int) -> _Problem | None:
    name = node.name.rpartition(".")[2]
    if len(node.args) != arity:
        return _Problem(f"{name} takes one type; write {name}[T]" if arity == 1 else f"{name} takes {arity} types")
    if arguments and marker_of(arguments[0]) is not None:
        return _marked_twice(node, node.args[0])
    if part is None or part.place not in _WORDS:
        return None
    instead = None
    if part.place is not Place.UNJITTED:
        instead = (lifted if part.place is Place.NESTED else unmarked)(part.whole, node)
    return _Problem(_WORDS[part.place].format(name=name, written=render(part.whole)), instead)


_WORDS: Final = {
    Place.NESTED: "{name} does nothing inside {written}: a marker stands at the top level, around the whole type",
    Place.NO_FIELD: "{name} does nothing inside {written}, which is no field; drop it",
    Place.RETURN: "{name} does nothing in a return annotation; drop it",
    Place.UNJITTED: "{name} does nothing on a parameter of a function that this file never jits; drop it, or jit it",
}


def _marked_twice(outer: UnboundType, inner: Type) -> _Problem:
    says = f"{render(outer)} marks a type twice; keep one of the markers"
    is_same = isinstance(inner, UnboundType) and inner.name == outer.name
    return _Problem(says, render(inner) if is_same else None)
