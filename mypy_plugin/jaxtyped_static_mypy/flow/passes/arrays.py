"""Numbers of arrays that a loop binds anew on each pass."""

from typing import Final

from mypy.nodes import CallExpr, ComparisonExpr, Expression, NameExpr, Node, OpExpr, Var
from mypy.types import Instance

from ...knowledge.members import FLAGS, FRACTIONS
from ...knowledge.type_rows import AsKey, KnownType
from ...libraries import TYPES
from ...source.surroundings import surroundings
from ...syntax.names import last_name
from ...syntax.trees import nodes_below
from .kinds import Changing, Search, ValueKind, as_kind
from .loops import Passes, binding, is_target, nodes_in_body

_NO_TYPE: Final = KnownType()
_ARRAYS: Final = (AsKey.ARRAY, AsKey.HOST_ARRAY)


def of_array(node: Expression, search: Search) -> Changing | None:
    """A number that is read from an array which the loop binds anew on each pass."""
    typ = search.type_of(node)
    if not isinstance(typ, Instance) or TYPES.get(typ.type.fullname, _NO_TYPE).key not in _ARRAYS:
        return None
    return _computed_on_pass(node, search)


def number_of_array(array: Expression, search: Search) -> Changing | None:
    """The same by `x.mean().item()`, of whose type mypy knows nothing: an integer or a flag may take few values."""
    typ = search.type_of(array)
    is_array = not isinstance(typ, Instance) or TYPES.get(typ.type.fullname, _NO_TYPE).key in _ARRAYS
    if not is_array or _is_flag(array) or not (search.is_fraction or _is_fraction(array)):
        return None
    return as_kind(ValueKind.ELEMENT, _computed_on_pass(array, search))


def _is_flag(array: Expression) -> bool:
    is_asked = isinstance(array, CallExpr) and last_name(array.callee) in FLAGS
    return is_asked or isinstance(array, ComparisonExpr)


def _is_fraction(array: Expression) -> bool:
    is_computed = isinstance(array, CallExpr) and last_name(array.callee) in FRACTIONS
    return is_computed or (isinstance(array, OpExpr) and array.op == "/")


def of_items(node: Expression, search: Search) -> Changing | None:
    """A fraction that is computed from what the loop goes over: `np.mean(batch)`."""
    parts = nodes_below(node) if _is_fraction(node) else ()
    names = (part for part in parts if isinstance(part, NameExpr) and isinstance(part.node, Var))
    for name in names:
        if any(isinstance(name.node, Var) and is_target(loop, name.node, search.file) for loop in search.loops):
            return Changing(ValueKind.NUMBER, name.name, Passes.UNKNOWN)
    return None


def _computed_on_pass(node: Expression, search: Search) -> Changing | None:
    for part in nodes_below(node):
        variable = part.node if isinstance(part, NameExpr) else None
        if isinstance(variable, Var) and any(_is_bound_on_each_pass(loop, variable, search) for loop in search.loops):
            return Changing(ValueKind.NUMBER, variable.name, Passes.UNKNOWN)
    return None


def _is_bound_on_each_pass(loop: Node, variable: Var, search: Search) -> bool:
    statements = binding(variable, nodes_in_body(loop))
    return any(surroundings(statement, search.file).block in search.around for statement in statements)
