"""What reading an attribute, an item or a slice gives, and what a comparison makes; records what needs a value."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import ComparisonExpr, Decorator, IndexExpr, IntExpr, MemberExpr, SliceExpr, SymbolTableNode

from ...knowledge.members import (
    ARRAY_ATTRIBUTES,
    CONCRETE_OPERATORS,
    NUMBER_ATTRIBUTES,
    UNAMBIGUOUS_ATTRIBUTES,
    VARIABLE_ATTRIBUTES,
)
from ...syntax.literals import text_or_number
from .containers import Container, container_of, record_key, record_membership
from .conversions import is_never_equal
from .declared import field_value
from .frame import Frame
from .items import item
from .iterating import record_compared
from .joining import element
from .results import result_of_method
from .shapes import SubscriptPart, record_index
from .values import Cell, Each, Items, Traced, Tree, Value, array_from, combined, known_without_derivative, sequence

_SEVERAL: Final = 2


def attribute(node: MemberExpr, value: Value, frame: Frame) -> Value:
    """The value of `value.name`."""
    if isinstance(value, Traced):
        if node.name in NUMBER_ATTRIBUTES:
            frame.needs_concrete(node, "attribute", value)
        if node.name == "shape" and not value.source.may_be_tree:
            return Each(None)
        known = UNAMBIGUOUS_ATTRIBUTES if value.source.may_be_tree else ARRAY_ATTRIBUTES
        return array_from(value.source) if node.name in known else None
    if isinstance(value, Cell):
        return array_from(value.source) if node.name in VARIABLE_ATTRIBUTES else None
    if isinstance(value, Tree):
        return _attribute_of_tree(node, value, frame)
    if isinstance(value, Items) and node.name in value.names:
        return value.values[value.names.index(node.name)]
    return None


def _attribute_of_tree(node: MemberExpr, value: Tree, frame: Frame) -> Value:
    frame.walk.consulted.update(value.type.type.mro)
    symbol = value.type.type.get(node.name)
    if symbol is not None and isinstance(symbol.node, Decorator):
        frame.walk.record_method(symbol.node, value, staged=frame.staged)
    found = field_value(value, node.name, frame.walk.file.settings)
    return found if found is not None else _property(symbol, value, frame)


def _property(symbol: SymbolTableNode | None, owner: Tree, frame: Frame) -> Value:
    """What the body of a property returns, for an object whose data fields are traced."""
    node = symbol.node if symbol is not None else None
    is_plain = isinstance(node, Decorator) and node.var.is_property and len(node.original_decorators) == 1
    return result_of_method(node.func, owner, {}, frame) if isinstance(node, Decorator) and is_plain else None


def subscript(node: IndexExpr, value: Value, parts: Sequence[tuple[SubscriptPart, Value]], frame: Frame) -> Value:
    """The value of `value[...]`; `parts`: those of the index, with what is known of each."""
    container = container_of(node.base, value, frame.walk.file)
    is_sliced = value is None and container not in (None, Container.HASHED)
    record_index(node.base, Each(None) if is_sliced else value, parts, frame)
    if not isinstance(value, Traced):
        whole = next((index for part, index in parts if part.node is node.index), None)
        # NumPy takes several indices, where a dict takes a tuple.
        indices = sequence([index for part, index in parts if not part.is_bound])
        record_key(node, container, indices if container is Container.HOST else whole, frame)
    if isinstance(node.index, SliceExpr):
        return _sliced(value, node.index)
    return item(value, text_or_number(node.index))


def _sliced(value: Value, index: SliceExpr) -> Value:
    """The value of `value[index]`; of one item or none, nothing is compared with another."""
    if isinstance(value, Cell):
        return array_from(value.source)
    if not isinstance(value, (Items, Each)):
        return value if isinstance(value, Traced) else None
    if isinstance(index.end_index, IntExpr) and index.end_index.value < _SEVERAL and index.begin_index is None:
        return Items((element(value),)[: index.end_index.value])
    return Each(element(value))


def compared(node: ComparisonExpr, values: Sequence[Value], frame: Frame) -> Value:
    """The value of a comparison of these operands."""
    if node.operators[0] in ("in", "not in"):
        container = container_of(node.operands[1], values[1], frame.walk.file)
        record_membership(node, container, values[0], frame)
    if not CONCRETE_OPERATORS.isdisjoint(node.operators) or any(is_never_equal(operand) for operand in node.operands):
        return None
    record_compared(node, values, frame)
    sources = [value.source for value in values if isinstance(value, Traced)]
    result = array_from(combined(sources), is_mask=True) if sources else None
    if len(values) > 2:
        frame.needs_concrete(node, "chain", result)
    return known_without_derivative(result)
