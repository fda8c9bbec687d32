"""Finds values that change with each pass of a loop: those computed from a counter, or updated in the loop.

Only what is sure to take many values counts. A value that each pass picks from a collection or by a condition takes
few. So does a bare integer over a range of unknown length, which may number the levels or layers of a model.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from mypy.nodes import (
    CallExpr,
    Expression,
    FloatExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    StrExpr,
    SymbolNode,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
    Var,
)

from ...classes import class_model
from ...knowledge import naming
from ...knowledge.function_rows import Conversion, Effect
from ...knowledge.members import TO_NUMBER
from ...libraries import known_function
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.imports import full_name
from ..declared_types import TypeOf
from .arrays import number_of_array, of_array, of_items
from .collected import longer_on_pass
from .iterated import called_name
from .kinds import Changing as Changing
from .kinds import Search, ValueKind, as_kind
from .loops import Passes, binding, counted_passes, grid_passes, is_target, nodes_in_body, updating_passes
from .numbers import CLAMPING
from .returned import returned_by
from .updates import binds_attribute, updating_operator, value_assigned

_GROWING: Final = ("+", "-")
_STEPWISE: Final = "staircase"  # the argument by which a schedule takes few values
_SCALING: Final = ("*", "/", "**")  # for floats only: an integer that doubles takes few values


def changing_value(
    argument: Expression,
    file: CheckedFile,
    type_of: TypeOf,
    *,
    is_fraction: bool = False,
    counts_unknown: bool = False,
    counts_runs: bool = False,
) -> Changing | None:
    """How an argument changes with each pass of a loop around it; None if it may stay the same, or takes few values.

    `is_fraction`: it is passed where a `float` is declared. `counts_unknown`: so does an integer over a range of
    unknown length. `counts_runs`: a counter with the name of a part of a run, such as `step`, takes many values,
    however many passes the loop makes.
    """
    if isinstance(argument, (IntExpr, StrExpr, FloatExpr)):
        return None
    place = surroundings(argument, file)
    if not place.repeating:
        return None
    found = _changing(argument, Search(file, type_of, place.around, place.repeating, is_fraction))
    is_step = counts_runs and found is not None and naming.counts_parts_of_run(found.counter)
    return found if found is not None and (counts_unknown or found.is_costly or is_step) else None


def changing_with(
    argument: Expression,
    file: CheckedFile,
    type_of: TypeOf,
    given: Mapping[SymbolNode, Changing],
    *,
    is_fraction: bool = False,
) -> Changing | None:
    """How an argument changes with each call of the function around it, if these parameters do."""
    around = surroundings(argument, file).around
    return _changing(argument, Search(file, type_of, around, (), is_fraction, given=given))


def follows_counter(argument: Expression, file: CheckedFile, type_of: TypeOf) -> bool:
    """Whether an argument changes with each pass of a loop around it, perhaps up to a limit."""
    place = surroundings(argument, file)
    return bool(place.repeating) and _follows(argument, Search(file, type_of, place.around, place.repeating, False))


def _changing(node: Expression, search: Search) -> Changing | None:
    handler = _HANDLERS.get(type(node))
    return handler(node, search._replace(depth=search.depth - 1)) if handler is not None and search.depth else None


# Names


def _name(node: NameExpr, search: Search) -> Changing | None:
    variable = node.node
    if not isinstance(variable, Var):
        return None
    if search.given:
        made = made_by(node, search.file)
        return search.given.get(variable) or (_changing(made, search) if made is not node else None)
    for index, loop in enumerate(search.loops):
        inside = search._replace(loops=search.loops[index:])
        if is_target(loop, variable, search.file):
            if (passes := grid_passes(loop, variable, search.file)) is not None:
                return _counter(ValueKind.ELEMENT, variable.name, passes)
            return _counter(ValueKind.INTEGER, variable.name, counted_passes(loop, variable, search.file))
        statements = list(binding(variable, nodes_in_body(loop)))
        if statements:
            return _bound(node, variable, statements[0], loop, inside) if len(statements) == 1 else None
    return None


def _counter(kind: ValueKind, counter: str, passes: Passes | None) -> Changing | None:
    return Changing(kind, counter, passes) if passes in (Passes.UNKNOWN, Passes.MANY) else None


def _bound(use: NameExpr, variable: Var, statement: Node, loop: Node, search: Search) -> Changing | None:
    """A variable that is bound once in the loop, on each pass that reaches the argument."""
    if surroundings(statement, search.file).block not in search.around:
        return None
    operator = updating_operator(statement, use)
    if operator is None:
        value = value_assigned(statement)
        return _changing(value, search) if value is not None else None
    is_float = search.is_float(use)
    if operator not in _GROWING and not (is_float and operator in _SCALING):
        return None
    kind = ValueKind.NUMBER if is_float else ValueKind.INTEGER
    return _counter(kind, variable.name, updating_passes(loop, variable, search.file))


# Attributes


def _attribute(node: MemberExpr, search: Search) -> Changing | None:
    """`self.t`, which each pass increases by `self.t += dt`."""
    holder = node.expr.node if isinstance(node.expr, NameExpr) else None
    if not isinstance(holder, Var) or not search.is_float(node):
        return None
    for loop in search.loops:
        if is_target(loop, holder, search.file) or any(binding(holder, nodes_in_body(loop))):
            return None  # another object on each pass
        statements = [found for found in nodes_in_body(loop) if binds_attribute(found, node)]
        if statements:
            is_sure = len(statements) == 1 and surroundings(statements[0], search.file).block in search.around
            is_updated = updating_operator(statements[0], node) in (*_GROWING, *_SCALING)
            passes = updating_passes(loop, holder, search.file)
            return _counter(ValueKind.NUMBER, f"{holder.name}.{node.name}", passes) if is_sure and is_updated else None
    return None


# Numbers


def _of_number(node: Expression, search: Search) -> Changing | None:
    """What `float(...)` gets, where that is no number for mypy."""
    found = _of_schedule(node, search) if isinstance(node, CallExpr) else None
    return found or of_array(node, search) or of_items(node, search)


def _of_schedule(call: CallExpr, search: Search) -> Changing | None:
    """What a function gives for a counter that a library makes for that: `optax.linear_schedule(0.1, 0.0, 100)`."""
    maker = made_by(call.callee, search.file)
    if not isinstance(maker, CallExpr) or _STEPWISE in maker.arg_names:
        return None
    row = known_function(full_name(maker.callee, search.file.tree))
    return as_kind(ValueKind.NUMBER, _first(call.args, search)) if Effect.VARIES in row.effects else None


# Expressions


def _operation(node: OpExpr, search: Search) -> Changing | None:
    if node.op == "%" and isinstance(node.left, StrExpr):
        return as_kind(ValueKind.TEXT, _first([node.right], search))
    if node.op not in (*_GROWING, *_SCALING):
        return None  # `i % 2`, `i // 100` and the like take fewer values
    if node.op == "-" and _follows(node.left, search) and _follows(node.right, search):
        return None  # how far apart two values are that move together
    found = _first([node.left, node.right], search)
    if found is None or found.kind is not ValueKind.INTEGER:
        return found
    is_number = node.op == "/" or search.is_float(node.left) or search.is_float(node.right)
    return as_kind(ValueKind.NUMBER, found) if is_number else found


def _call(node: CallExpr, search: Search) -> Changing | None:
    callee, called = node.callee, called_name(node)
    if isinstance(callee, MemberExpr) and isinstance(callee.expr, StrExpr):
        items = [part for argument in node.args for part in getattr(argument, "items", [argument])]
        return as_kind(ValueKind.TEXT, _first(items, search))  # `"{}".format(i)`, and an f-string
    if called == "builtins.str":
        return as_kind(ValueKind.TEXT, _first(node.args, search))
    if called == "builtins.len" and len(node.args) == 1:
        return _length(node, node.args[0], search)
    if isinstance(callee, MemberExpr) and callee.name == TO_NUMBER and not node.args:
        return number_of_array(callee.expr, search)
    if called in CLAMPING:
        found = _first(node.args, search)
        return found if found is not None and found.kind is ValueKind.NUMBER else None
    if (returned := returned_by(node, search.file)) is not None:
        return _of_returned(*returned, search)
    row = known_function(called)
    if called == "builtins.float" or (row.converts is Conversion.FLOAT and search.is_float(node)):
        found = as_kind(ValueKind.NUMBER, _first(node.args, search))
        return found or (_of_number(node.args[0], search) if node.args else None)
    info = callee.node if isinstance(callee, RefExpr) else None
    is_value = isinstance(info, TypeInfo) and class_model.declaration_of(info) is not None
    return _holding(node.args, search) if is_value or Effect.COPIES in row.effects else None


def _length(node: CallExpr, counted: Expression, search: Search) -> Changing | None:
    """`len(seen)` of a list or dict that each pass extends."""
    holder = counted.expr if isinstance(counted, MemberExpr) else counted
    variable = holder.node if isinstance(holder, NameExpr) else None
    place = surroundings(node, search.file)
    for loop in search.loops if isinstance(variable, Var) else ():
        if isinstance(variable, Var) and (name := longer_on_pass(counted, place, loop, search.file)) is not None:
            return _counter(ValueKind.INTEGER, name, updating_passes(loop, variable, search.file))
    return None


def _of_returned(value: Expression, passed: Mapping[Var, Expression], search: Search) -> Changing | None:
    found = ((variable, _changing(given, search)) for variable, given in passed.items())
    given: dict[SymbolNode, Changing] = {variable: value for variable, value in found if value is not None}
    inside = search._replace(loops=(), around=surroundings(value, search.file).around, given=given)
    return _changing(value, inside) if given else None


def _follows(node: Expression, search: Search) -> bool:
    """Whether a value changes with each pass, or does until it gets to a limit: `min(i + 128, n)`."""
    made = made_by(node, search.file)
    is_limited = isinstance(made, CallExpr) and called_name(made) in CLAMPING
    parts = made.args if isinstance(made, CallExpr) and is_limited else [node]
    return _first(parts, search) is not None


def _holding(parts: Sequence[Expression], search: Search) -> Changing | None:
    """An object made of these parts: it takes as many different values as they do."""
    found = (_changing(part, search) for part in parts)
    return as_kind(ValueKind.OBJECT, next((part for part in found if part is not None and part.is_costly), None))


def _first(parts: Sequence[Expression], search: Search) -> Changing | None:
    return next((found for part in parts if (found := _changing(part, search)) is not None), None)


_HANDLERS: Final[dict[type[Expression], Callable[[Any, Search], Changing | None]]] = {
    NameExpr: _name,
    MemberExpr: _attribute,
    OpExpr: _operation,
    UnaryExpr: lambda node, search: _changing(node.expr, search) if node.op == "-" else None,
    TupleExpr: lambda node, search: _holding(node.items, search),
    CallExpr: _call,
}
