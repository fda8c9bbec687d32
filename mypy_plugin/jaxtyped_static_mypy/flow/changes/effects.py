"""Finds calls that store what they are given, or what JAX computes: of methods, in their own object, and of functions.

`counter.add(x)`, `next(keys)`, `model(x)`: the class tells what its methods store, in whichever module it is.
"""

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import CallExpr, Expression, FuncItem, MemberExpr, NameExpr, RefExpr

from ...classes import class_model
from ...classes.storing import stored_by
from ...facts.stored_values import COMPUTED
from ...knowledge.full_names import NEXT_ITEM
from ...libraries import TRACKING_PACKAGES
from ...source.nested_functions import Functions
from ...syntax.arguments import named_arguments
from ...syntax.changes import Change, ChangeKind, written
from .refused import class_of
from .storing_calls import changes_by_function


class StoredByCall(NamedTuple):
    """An attribute that a call sets, as if it stood there: `counter.total`, of `counter.add(x)`."""

    change: Change
    called: str
    is_replaced: bool  # whatever the object had there


class _Call(NamedTuple):
    receiver: Expression
    method: str
    shown: str


def stored_by_calls(function: FuncItem, functions: Functions) -> Iterator[StoredByCall]:
    """What the calls in a function's own code store in objects of known classes that are no pytrees."""
    found: list[StoredByCall] = []
    for node in functions.nodes[function]:
        if isinstance(node, CallExpr) and node.callee not in functions.adopted:
            for call in _calls(node):
                found += _stored(node, call, functions)
            shown = f"{written(node.callee)}(...)"
            found += (
                StoredByCall(change, shown, change.kind is ChangeKind.ATTRIBUTE)
                for change in changes_by_function(node, functions)
            )
    set_first = {one.change.written: one for one in reversed(found) if _is_set_for_use(one, function, functions)}
    for one in found:
        setting = set_first.get(one.change.written)
        if setting is None or setting.change.context.line > one.change.context.line:
            yield one


def _is_set_for_use(stored: StoredByCall, function: FuncItem, functions: Functions) -> bool:
    """Whether a function sets what the object had, and goes on to use the object: `net.load(params); return net(x)`."""
    shown, line = written(stored.change.target), stored.change.context.line
    nodes = (node for node in functions.nodes[function] if isinstance(node, (MemberExpr, NameExpr)))
    return stored.is_replaced and any(node.line > line and written(node) == shown for node in nodes)


def _calls(call: CallExpr) -> Iterator[_Call]:
    callee = call.callee
    if isinstance(callee, RefExpr) and callee.fullname == NEXT_ITEM and call.args:
        yield _Call(call.args[0], "__next__", f"next({written(call.args[0])})")
        return
    if isinstance(callee, MemberExpr):
        yield _Call(callee.expr, callee.name, f"{written(callee)}(...)")
    if isinstance(callee, RefExpr):
        yield _Call(callee, "__call__", f"{written(callee)}(...)")


def _stored(node: CallExpr, call: _Call, functions: Functions) -> Iterator[StoredByCall]:
    info = class_of(call.receiver, functions)
    kept = stored_by(info, call.method) if info is not None else None
    if info is None or kept is None:
        return
    functions.consulted.update(info.mro)
    if class_model.is_pytree(info) or any(base.fullname.startswith(TRACKING_PACKAGES) for base in info.mro):
        return
    given = named_arguments(node, kept["parameters"]) if call.method != "__next__" else {}
    for attribute, origins in kept["attributes"].items():
        values = tuple(given[name] for name in origins if name in given)
        shown = f"{written(call.receiver)}.{attribute}"
        change = Change(node, ChangeKind.ATTRIBUTE, call.receiver, shown, values, is_computed=COMPUTED in origins)
        yield StoredByCall(change, call.shown, attribute in kept["replaced"])
