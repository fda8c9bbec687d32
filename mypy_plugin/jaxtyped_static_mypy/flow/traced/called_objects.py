"""Calls of objects that are pytrees, or that one holds: `model(x)` and `self.inner(x)` run `__call__` of the class."""

from collections.abc import Sequence

from mypy.nodes import CallExpr, MemberExpr, Var

from ...knowledge.full_names import CALL_METHOD
from ...reach.receiving import constructed_in_file
from .calls import method_value
from .declared import field_value, returned_value
from .frame import Frame
from .objects import class_of
from .values import Tree, Value, first_origin, present


def object_called(call: CallExpr, base: Value, called: Value, values: Sequence[Value], frame: Frame) -> Value:
    """What a call of an object returns; its method is walked with what the call passes.

    `base`: the object of which an attribute is called. `called`: what is called, if that is no attribute.
    """
    callee = call.callee
    if isinstance(called, Tree):
        return _result_of_tree(called, call, values, frame)
    if not isinstance(callee, MemberExpr) or not isinstance(base, Tree):
        return None
    symbol = base.type.type.get(callee.name)
    if symbol is None or not isinstance(symbol.node, Var):
        return None  # a method, as all of a module that has no such attribute
    held = present(field_value(base, callee.name, frame.walk.file.settings))
    if isinstance(held, Tree):
        return _result_of_tree(held, call, values, frame)
    return _declared_result(callee, values, frame)


def _result_of_tree(tree: Tree, call: CallExpr, values: Sequence[Value], frame: Frame) -> Value:
    """Nothing is known of what it makes of concrete values: it may have no arrays of its own."""
    result = method_value(tree, CALL_METHOD, call, values, frame)
    return result if first_origin(values) is not None else None


def _declared_result(callee: MemberExpr, values: Sequence[Value], frame: Frame) -> Value:
    """What an object of another kind is declared to return for tracers."""
    source, file = first_origin(values), frame.walk.file
    cls = class_of(callee, file)
    info = cls.info if cls is not None else constructed_in_file(callee, file)
    if source is None or source.has_value or info is None:
        return None
    frame.walk.consulted.update(info.mro)
    symbol = info.get(CALL_METHOD)
    return returned_value(symbol.node, source, file.settings) if symbol is not None else None
