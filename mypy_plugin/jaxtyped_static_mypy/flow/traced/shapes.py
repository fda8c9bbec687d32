"""Finds what decides the shape of a result: bounds of slices, boolean indices, and values that it counts.

Shapes have to be known while JAX traces, so none of these may be a tracer.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Expression, MemberExpr, OverloadedFuncDef, RefExpr, SliceExpr, TupleExpr

from ...knowledge.function_rows import SizedBy
from ...knowledge.jax_functions import VALUE_AREAS, jax_function, jax_name
from ...knowledge.members import ARRAY_METHODS, SIZED_METHODS, SPREAD_OF_METHODS, STATIC_OF_METHODS, UNAMBIGUOUS_METHODS
from ...source.bindings import made_by
from ...syntax.arguments import argument, named_arguments, unpacks
from ...syntax.changes import updated_by_index
from ...syntax.literals import is_none
from ..declared_types import positions_with, signatures
from .frame import ConcreteUse, Frame
from .values import Entries, Holds, Items, Traced, Tree, Value, origin

BOUND: Final = "bound"
MASK: Final = "mask"
UPDATED_MASK: Final = "updated mask"  # `x.at[mask]`
COUNTED: Final = "counted"
OPTION: Final = "option"

STATIC_OPTIONS: Final = ("axis", "axes", "axis1", "axis2", "keepdims")
_UNLIKE_ARRAYS: Final = (Entries, Holds, Tree)


class SubscriptPart(NamedTuple):
    """A part of a subscript."""

    node: Expression
    is_bound: bool  # of a slice


def parts_of_index(index: Expression) -> Iterator[SubscriptPart]:
    """Yields the parts of `x[i, j:k]`: `i`, and the bounds `j` and `k`."""
    items = index.items if isinstance(index, TupleExpr) else [index]
    for item in items:
        if isinstance(item, SliceExpr):
            bounds = (item.begin_index, item.end_index, item.stride)
            yield from (SubscriptPart(bound, is_bound=True) for bound in bounds if bound is not None)
        else:
            yield SubscriptPart(item, is_bound=False)


def record_index(base: Expression, value: Value, parts: Sequence[tuple[SubscriptPart, Value]], frame: Frame) -> None:
    """Records the parts that decide the shape of `base[...]`. `value`: the value of `base`."""
    is_array = isinstance(value, Traced)
    mask = UPDATED_MASK if isinstance(base, MemberExpr) and base.name == "at" else MASK
    for (node, is_bound), part in parts:
        if is_bound:
            frame.needs_concrete(
                node, BOUND, part if value is not None and not isinstance(value, _UNLIKE_ARRAYS) else None
            )
        else:
            frame.needs_concrete(node, mask, part if is_array and isinstance(part, Traced) and part.is_mask else None)


def record_call(call: CallExpr, base: Value, values: Sequence[Value], frame: Frame) -> None:
    """Records arguments that decide the shape of the result. `base`: the object whose method is called."""
    if unpacks(call):
        return
    passed = dict(zip(call.args, values, strict=True))
    callee = call.callee
    name = jax_name(callee.fullname) if isinstance(callee, RefExpr) else None
    if isinstance(callee, MemberExpr) and isinstance(base, Traced):
        known = UNAMBIGUOUS_METHODS if base.source.may_be_tree else ARRAY_METHODS
        updated = updated_by_index(made_by(callee.expr, frame.walk.file))  # `x.at[i].min(y)` takes no axis
        if callee.name in known and updated is None:
            options = STATIC_OF_METHODS.get(callee.name, ())
            named = named_arguments(call, options)
            _record_options(callee.name, {*STATIC_OPTIONS, *options} - {""}, named, passed, frame)
            _record_spread(call, callee.name, passed, frame)
            _record_counted(call, callee.name, SIZED_METHODS.get(callee.name), base, passed, frame)
    elif isinstance(callee, RefExpr) and name is not None and name.partition(".")[0] in VALUE_AREAS:
        function = callee.fullname.rpartition(".")[2]
        _record_options(function, STATIC_OPTIONS, _named(call, callee), passed, frame)
        row = jax_function(callee.fullname)
        _record_counted(call, function, row.sized_by, None, passed, frame)
        if frame.walk.is_helper or isinstance(callee.node, OverloadedFuncDef):
            _record_shapes(call, callee, row.shapes, passed, frame)


def _record_shapes(
    call: CallExpr, callee: RefExpr, shapes: Container[str], passed: Mapping[Expression, Value], frame: Frame
) -> None:
    """What the hook of the call does not see: in helpers, and where no overload takes an array (mypy 2.4.1)."""
    for name, node in named_arguments(call, positions_with(callee.node, shapes, call)).items():
        if name in shapes and (source := origin(passed[node])) is not None:
            frame.record_concrete(node, ConcreteUse(OPTION, Traced(source), callee.fullname.rpartition(".")[2], name))


def _record_spread(call: CallExpr, method: str, passed: dict[Expression, Value], frame: Frame) -> None:
    """`x.reshape(n, -1)`, or with a tuple."""
    option = SPREAD_OF_METHODS.get(method)
    for node in call.args if option is not None else ():
        value = passed[node]
        source = origin(value) if isinstance(value, Items) else None
        known = Traced(source) if source is not None else value
        frame.record_concrete(node, ConcreteUse(OPTION, known, method, option or ""))


def _named(call: CallExpr, callee: RefExpr) -> Mapping[str, Expression]:
    """The arguments by the names of their parameters."""
    listed = (signature.arg_names for signature in signatures(callee.node))
    names = next((names for names in listed if any(name in STATIC_OPTIONS for name in names)), ())
    return named_arguments(call, names)


def _record_options(
    function: str,
    options: Iterable[str],
    named: Mapping[str, Expression],
    passed: Mapping[Expression, Value],
    frame: Frame,
) -> None:
    for option in sorted(options):
        if (node := named.get(option)) is not None:
            frame.record_concrete(node, ConcreteUse(OPTION, passed[node], function, option))


def _record_counted(
    call: CallExpr, function: str, sized_by: SizedBy | None, base: Value, passed: dict[Expression, Value], frame: Frame
) -> None:
    """Records the argument whose values decide how long the result is, unless an option of the call fixes that."""
    if sized_by is None or _is_given(call, sized_by) or (sized_by.alone and len(call.args) > 1):
        return
    counted = argument(call, sized_by.position, sized_by.name) if sized_by.position is not None else None
    value = passed.get(counted) if counted is not None else base if sized_by.position is None else None
    value = value if isinstance(value, Traced) else None
    frame.record_concrete(call, ConcreteUse(COUNTED, value, function, sized_by.option))


def _is_given(call: CallExpr, sized_by: SizedBy) -> bool:
    value = argument(call, sized_by.option_position, sized_by.option)
    return value is not None and not is_none(value)
