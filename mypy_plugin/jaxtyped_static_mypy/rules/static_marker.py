"""static-marker: a marker that does nothing or contradicts itself."""

from collections.abc import Callable
from typing import Final

from mypy.plugin import AnalyzeTypeContext
from mypy.types import AnyType, Type, TypeAliasType, TypeOfAny, UnboundType, UnionType

from .. import compat
from ..annotations import AnnotationIndex, Part, Place, render
from ..codes import STATIC_MARKER
from ..markers import marker_of

IndexOf = Callable[[AnalyzeTypeContext], AnnotationIndex]


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
        ctx.api.fail(problem, node, code=STATIC_MARKER)
    missing = [AnyType(TypeOfAny.from_omitted_generics)] * (arity - len(arguments))
    return TypeAliasType(alias, [*arguments, *missing], node.line, node.column)


def _problem(node: UnboundType, arguments: list[Type], part: Part | None, arity: int) -> str | None:
    name = node.name.rpartition(".")[2]
    if len(node.args) != arity:
        return f"{name} takes one type; write {name}[T]" if arity == 1 else f"{name} takes {arity} types"
    if arguments and marker_of(arguments[0]) is not None:
        return f"{render(node)} marks a type twice; write {_instead_of_two(node, node.args[0])}"
    if part is None or part.place in _SILENT:
        return None
    return _WORDS[part.place].format(
        name=name, written=render(part.whole), lifted=f"{name}[{_lifted(part.whole, node)}]"
    )


_SILENT: Final = (Place.TOP, Place.UNDER_MARKER)
_WORDS: Final = {
    Place.NESTED: "{name} does nothing inside {written}: a marker stands at the top level; write {lifted}",
    Place.RETURN: "{name} does nothing in a return annotation; drop it",
    Place.UNJITTED: "{name} does nothing on a parameter of a function that this file never jits; drop it, or jit it",
}


def _instead_of_two(outer: UnboundType, inner: Type) -> str:
    if isinstance(inner, UnboundType) and inner.name == outer.name:
        return render(inner)
    below = render(inner.args[0]) if isinstance(inner, UnboundType) and inner.args else "T"
    return f"either {outer.name}[{below}] or {render(inner)}"


def _lifted(whole: Type, marker: UnboundType) -> str:
    """The annotation without the marker, to be marked as a whole."""
    if whole is marker:
        return render(marker.args[0]) if marker.args else "T"
    if isinstance(whole, UnionType):
        return " | ".join(_lifted(item, marker) for item in whole.items)
    if isinstance(whole, UnboundType) and whole.args:
        return f"{whole.name}[{', '.join(_lifted(argument, marker) for argument in whole.args)}]"
    return render(whole)
