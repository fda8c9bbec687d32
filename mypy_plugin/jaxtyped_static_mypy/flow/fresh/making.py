"""Decides whether a new callable costs anything: only if the code that makes it runs again and again."""

from mypy.nodes import (
    CallExpr,
    Context,
    Expression,
    ForStmt,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.types import Instance

from ...reach.runs import Runs, is_in_loop, runs_at
from ...source.bindings import bound_by, mentions, reaching_bindings
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.trees import base_of, nodes_below
from .attributes import is_global, may_change
from .kept import is_kept_for_loop, is_used_in_later_loop
from .origins import FreshKind, Origin, Reader


def is_made_again(origin: Origin, use: Expression, reader: Reader) -> bool:
    """Whether the callable is made again for the same use: in a loop, or with each call of an ordinary function."""
    made = maker_of(origin, use)
    if origin.kind is FreshKind.BOUND_METHOD and isinstance(made, MemberExpr):
        return _is_method_made_again(made, use, reader)
    return _runs_again(made, use, reader.file)


def _is_method_made_again(method: MemberExpr, use: Expression, reader: Reader) -> bool:
    """Bound methods of one object are equal. If the object changes, they stay equal, but behave differently."""
    if is_global(method.expr) or any(_runs_again(maker, use, reader.file) for maker in _makers(method, reader)):
        return True
    typ = reader.type_of(method.expr)
    return isinstance(typ, Instance) and may_change(typ, reader) and bool(surroundings(use, reader.file).repeating)


def is_made_in_function(origin: Origin, use: Expression, reader: Reader) -> bool:
    """Whether the callable, or the object of a bound method, is made in a function, not at module level."""
    return surroundings(maker_of(origin, use), reader.file).function is not None


def maker_of(origin: Origin, use: Context) -> Node:
    """The node that makes the callable."""
    made = origin.made.defn if isinstance(origin.made, TypeInfo) else origin.made
    assert isinstance(use, Node)
    return made if isinstance(made, Node) else use


def can_be_made_before_loop(made: Node, file: CheckedFile) -> bool:
    """Whether a loop makes the callable, although it depends on nothing that the loop binds."""
    loops = surroundings(made, file).repeating
    if not loops:
        return False
    bound = _bound_below(loops[-1]) - _bound_below(made)
    return not mentions(made, bound)


def _bound_below(node: Node) -> set[SymbolNode]:
    return {variable for part in nodes_below(node) for variable, _ in bound_by(part)}


def is_object_made_again(origin: Origin, argument: Expression, reader: Reader) -> bool:
    """Whether the callable is made again together with an object that holds it: follows what the constructor makes.

    An optimiser belongs to the state of one training run, so it counts as made again only if a loop is seen to make it.
    """
    if origin.kind is FreshKind.OPTIMISER and not is_in_loop(maker_of(origin, argument), reader.file):
        return False
    call = next((node for node in surroundings(argument, reader.file).around[1:] if isinstance(node, CallExpr)), None)
    return is_made_again(origin, argument, reader) and not (call is not None and is_kept_for_loop(call, reader.file))


def _runs_again(maker: Node, use: Expression, file: CheckedFile) -> bool:
    if surroundings(maker, file).repeating:
        return True
    return runs_at(maker, file) is Runs.AGAIN and not is_used_in_later_loop(maker, use, file)


def _makers(node: Node, reader: Reader) -> list[Node]:
    """The nodes that make the object of which this is an attribute."""
    node = base_of(node)
    if not isinstance(node, NameExpr) or not isinstance(node.node, Var) or "." in node.node.fullname:
        return [node]
    statements = (binding.statement for binding in reaching_bindings(reader.file, node, node.node))
    return [item.body if isinstance(item, (FuncItem, ForStmt)) else item for item in statements] or [node]
