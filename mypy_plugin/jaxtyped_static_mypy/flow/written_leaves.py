"""The expressions for the leaves of a pytree that code writes out: in a display, a constructor, an edited copy."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    ArgKind,
    CallExpr,
    DictExpr,
    Expression,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    TupleExpr,
)

from ..knowledge.function_rows import Effect
from ..libraries import known_function
from ..source.checked_file import CheckedFile
from ..source.local_bindings import bindings_of_local
from ..source.surroundings import surroundings
from ..syntax.arguments import unpacks
from ..syntax.literals import items_of_display
from ..syntax.names import callee_name
from .declared_types import TypeOf, class_in
from .weak_leaves import arguments_by_field, class_made, kept_as_given

_MAX_DEPTH: Final = 6


class WrittenLeaf(NamedTuple):
    """A leaf, and the field of an object that holds it."""

    field: str  # empty in a display
    expression: Expression


def written_leaves(
    node: Expression, file: CheckedFile, type_of: TypeOf, depth: int = _MAX_DEPTH
) -> Iterator[WrittenLeaf]:
    """What stands where a value is passed, or where its name is bound, for each leaf; itself, if it is none of these.

    A name has to have one value there, made on each pass of the same loops.
    """
    made = _made_on_each_pass(node, file)
    parts = _parts(made, file, type_of) if depth else None
    if parts is None:
        yield WrittenLeaf("", node)
    for field, part in parts or ():
        for leaf in written_leaves(part, file, type_of, depth - 1):
            yield leaf if leaf.field else leaf._replace(field=field)


def _made_on_each_pass(node: Expression, file: CheckedFile) -> Expression:
    bound = bindings_of_local(file, node)
    value = bound[0].value if len(bound) == 1 and not bound[0].binding.path else None
    is_here = value is not None and surroundings(value, file).repeating == surroundings(node, file).repeating
    return value if value is not None and is_here else node


def _parts(made: Expression, file: CheckedFile, type_of: TypeOf) -> list[tuple[str, Expression]] | None:
    if isinstance(made, (DictExpr, ListExpr, TupleExpr)):
        return [("", item) for item in items_of_display(made)]
    return _parts_of_call(made, file, type_of) if isinstance(made, CallExpr) else None


def _parts_of_call(call: CallExpr, file: CheckedFile, type_of: TypeOf) -> list[tuple[str, Expression]] | None:
    """What a constructor gets for the fields that keep it, and what an edited copy has in place of others."""
    effects = known_function(callee_name(call)).effects
    if Effect.EDITS_TREE in effects:
        return _edited(call)
    is_copy = Effect.COPIES in effects
    info = class_in(type_of(call)) if is_copy else class_made(call)
    if info is None or unpacks(call):
        return None
    named = zip(call.arg_names, call.arg_kinds, call.args, strict=True)
    replaced = {name: value for name, kind, value in named if name is not None and kind is ArgKind.ARG_NAMED}
    given = replaced if is_copy else arguments_by_field(call, info)
    kept = kept_as_given(info, file)
    return [(name, value) for name, value in (given or {}).items() if name in kept] or None


def _edited(call: CallExpr) -> list[tuple[str, Expression]] | None:
    """`eqx.tree_at(lambda net: net.rate, net, 0.1)`."""
    if len(call.args) < 3 or call.arg_kinds[:3] != [ArgKind.ARG_POS] * 3:
        return None
    where = call.args[0]
    place = where.expr() if isinstance(where, LambdaExpr) else None
    return [(place.name if isinstance(place, MemberExpr) else "", call.args[2])]
