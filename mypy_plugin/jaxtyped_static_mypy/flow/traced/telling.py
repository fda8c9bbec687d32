"""Which calls may tell a tracer from a concrete value, as `isinstance(x, Tracer)` does, and what they are asked about.

`jnp.any(x > 0)` tells nothing: as a condition it raises for every tracer. Of other functions the source decides, if the
file has it; a function that cannot be read may tell.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    SymbolNode,
    TryStmt,
)
from mypy.types import Instance

from ...classes.array_holders import is_array
from ...knowledge.full_names import NUMPY
from ...knowledge.function_rows import Effect
from ...knowledge.jax_functions import VALUE_AREAS, jax_name
from ...knowledge.members import ARRAY_METHODS, SHAPE_ATTRIBUTES
from ...libraries import known_function
from ...source.checked_file import CheckedFile, once_per_file
from ...syntax.imports import full_name
from ...syntax.names import function_of
from ...syntax.trees import nodes_below, parts_of
from ..declared_types import return_types
from .results import has_plain_body

# Every function of these whose answer may differ has a row that says so.
_LISTED: Final = ("builtins", "math", "operator", "_operator", NUMPY)


def may_tell(condition: Expression, file: CheckedFile) -> bool:
    """Whether a call in this expression may tell a tracer from a concrete value."""
    return _calls_tell(condition, file, frozenset())


def asked_about(call: CallExpr) -> set[SymbolNode | None]:
    """The variables whose values a call is given: of `f(x.shape)`, none."""
    names = (name for argument in call.args for name in _names_in(argument))
    return {name.node for name in names}


def _names_in(node: Node) -> Iterator[NameExpr]:
    if isinstance(node, NameExpr):
        yield node
    if isinstance(node, MemberExpr) and node.name in SHAPE_ATTRIBUTES:
        return
    for part in parts_of(node):
        yield from _names_in(part)


def _calls_tell(node: Node, file: CheckedFile, around: frozenset[FuncItem]) -> bool:
    """`around`: the functions being read, which may call each other."""
    return any(_tells(call, file, around) for call in nodes_below(node) if isinstance(call, CallExpr))


def _tells(call: CallExpr, file: CheckedFile, around: frozenset[FuncItem]) -> bool:
    called = call.callee.node if isinstance(call.callee, RefExpr) else None
    function = called.func if isinstance(called, Decorator) else function_of(call.callee)
    if function is not None and has_plain_body(function, file):
        return function not in around and _body_tells(file, function, around | {function})
    if isinstance(call.callee, MemberExpr) and call.callee.node is None and call.callee.name in ARRAY_METHODS:
        return False
    name = full_name(call.callee, file.tree)
    area = (jax_name(name) or "").partition(".")[0]
    if area in VALUE_AREAS or name.partition(".")[0] in _LISTED:
        return Effect.TELLS_KIND in known_function(name).effects
    declared = return_types(called)
    return not declared or not all(isinstance(typ, Instance) and is_array(typ.type) for typ in declared)


@once_per_file
def _body_tells(file: CheckedFile, function: FuncItem, around: frozenset[FuncItem]) -> bool:
    """Whether a body tests what kind of value it has, or catches what a tracer raises."""
    nodes = nodes_below(function.body)
    return any(isinstance(node, TryStmt) for node in nodes) or _calls_tell(function.body, file, around)
