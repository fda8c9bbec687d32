"""static-marker: a marker that does nothing or contradicts itself."""

from typing import Final, NamedTuple

from mypy.plugin import AnalyzeTypeContext
from mypy.types import Type, TypeAliasType, UnboundType, UnionType

from .. import compat
from ..annotations import AnnotationIndex, Part, Place, render
from ..codes import STATIC_MARKER
from ..lifting import lifted, unmarked
from ..markers import marker_of
from ..replacements import replacement


class _Problem(NamedTuple):
    says: str
    instead: str | None = None  # what to write


def check_marker(ctx: AnalyzeTypeContext, typ: Type, index: AnnotationIndex) -> None:
    """Reports a marker that does nothing where it stands. `typ`: what mypy made of it."""
    node = ctx.type
    problem = _problem(node, _applied(typ), index.part(node))
    if problem is None:
        return
    ctx.api.fail(problem.says, node, code=STATIC_MARKER)
    if problem.instead is not None:
        compat.type_note(ctx, replacement(problem.instead), node, STATIC_MARKER)


def _applied(typ: Type) -> TypeAliasType | None:
    """The alias among what mypy made of a marker: `n: Static[int] = None` may be a union, too."""
    items = typ.items if isinstance(typ, UnionType) else [typ]
    return next((item for item in items if isinstance(item, TypeAliasType)), None)


def _problem(node: UnboundType, applied: TypeAliasType | None, part: Part | None) -> _Problem | None:
    if applied is None or applied.alias is None:
        return None  # no marker, or mypy has said what is wrong with it
    name = node.name.rpartition(".")[2]
    missing = [variable for variable in applied.alias.alias_tvars if not variable.has_default()]
    if missing and not node.args:
        one = f"{name} takes one type; write {name}[T]"
        return _Problem(one if len(missing) == 1 else f"{name} takes {len(missing)} types")
    if node.args and applied.args and marker_of(applied.args[0]) is not None:
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
