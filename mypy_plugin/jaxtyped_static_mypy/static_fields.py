"""Static positions in classes: `Static[...]` fields, and every field of a class that is declared static."""

from collections.abc import Iterator

from mypy.nodes import ClassDef, TypeInfo, Var
from mypy.plugin import FunctionContext
from mypy.types import Type
from mypy.typevars import fill_typevars

from . import class_model, compat, judgement
from .config import Settings
from .markers import Marker, marker_of
from .reporting import Position, check_position
from .rules.pytree_cache import check_cached_properties
from .rules.pytree_static import check_fields


def check_class(ctx: FunctionContext, settings: Settings) -> Type:
    """Called once for each class statement, in its scope, as the application of a decorator."""
    info = ctx.context.info if isinstance(ctx.context, ClassDef) else None
    if info is not None and not compat.nobody_reads_errors(ctx.api):
        declared_static = class_model.is_declared_static(info, settings.static_bases)
        if declared_static and not judgement.is_abstract(info) and info.fullname not in settings.static_bases:
            whole = Position(info.defn, "Static class", info.name, fill_typevars(info))
            check_position(whole, settings, ctx.api, leaving_out=_judged_elsewhere(info, settings))
        for position in _static_fields(info, settings, declared_static=declared_static):
            check_position(position, settings, ctx.api)
        check_cached_properties(info, ctx.api)
        check_fields(info, settings, ctx.api)
    return ctx.default_return_type


def _judged_elsewhere(info: TypeInfo, settings: Settings) -> frozenset[str]:
    """The fields that a static class declares, or inherits from one; others are reported at the class itself."""
    own = {name for name, symbol in info.names.items() if isinstance(symbol.node, Var) and symbol.node.line >= 0}
    static_bases = (base for base in info.mro[1:] if class_model.is_declared_static(base, settings.static_bases))
    return frozenset(own.union(member.name for base in static_bases for member in class_model.fields(base)))


def _static_fields(info: TypeInfo, settings: Settings, *, declared_static: bool) -> Iterator[Position]:
    for name, symbol in info.names.items():
        node = symbol.node
        if not isinstance(node, Var) or node.type is None or node.line < 0:  # a copy of an inherited field has no line
            continue
        if marker_of(node.type, settings.static_markers) is Marker.STATIC:
            yield Position(node, "Static field", name, node.type)
    if declared_static:
        yield from _own_fields(info, settings)


def _own_fields(info: TypeInfo, settings: Settings) -> Iterator[Position]:
    for member in class_model.fields(info):
        node = info.names[member.name].node if member.name in info.names else None
        if node is None or node.line < 0 or member.type is None or not member.is_compared:
            continue
        if marker_of(member.type, settings.static_markers) is not Marker.STATIC:
            yield Position(node, "Static field", member.name, member.type)
