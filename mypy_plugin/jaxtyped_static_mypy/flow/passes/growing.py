"""Finds arrays that have another shape on each pass of a loop: JAX compiles for each shape.

A prefix `x[:i]`, an array as long as a counter, a list that each pass appends to, and `x = jnp.append(x, y)`. Windows,
of which both bounds move, keep their length; so does what a loop appends to and takes from.
"""

from collections.abc import Container
from typing import NamedTuple

from mypy.nodes import (
    CallExpr,
    Expression,
    ForStmt,
    IndexExpr,
    IntExpr,
    ListExpr,
    NameExpr,
    Node,
    SliceExpr,
    TupleExpr,
    UnaryExpr,
    Var,
    WhileStmt,
)
from mypy.types import Instance

from ...classes.array_holders import is_array_like
from ...knowledge.full_names import JAX, NUMPY
from ...knowledge.members import COLLECTING_FUNCTIONS, EXTENDING_METHODS, JOINING_FUNCTIONS, SHRINKING_METHODS
from ...libraries import known_function
from ...source.bindings import bindings_of
from ...source.checked_file import CheckedFile
from ...source.surroundings import Surroundings, surroundings
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.changes import changes
from ...syntax.trees import last_name, nodes_below
from ..declared_types import TypeOf, signatures
from .changing import Changing, changing_value
from .loops import Passes, binding, called_name, updating_passes
from .updates import value_assigned


class Growing(NamedTuple):
    """An array whose shape changes with each pass."""

    cause: str  # the variable that it depends on


class _Search(NamedTuple):
    file: CheckedFile
    type_of: TypeOf
    place: Surroundings  # of the call that gets the array
    loop: Node
    is_array: bool  # whether what the call gets is one for sure


def growing_array(
    argument: Expression, call: CallExpr, file: CheckedFile, type_of: TypeOf, *, is_array: bool = False
) -> Growing | None:
    """How the shape of an argument changes with each pass of a loop around a call; None if it may stay the same.

    `is_array`: whether it is one by what is called.
    """
    place = surroundings(call, file)
    if not place.repeating or not isinstance(place.repeating[0], (ForStmt, WhileStmt)):
        return None
    search = _Search(file, type_of, place, place.repeating[0], is_array)
    if not isinstance(argument, NameExpr):
        return _made(argument, search)
    bound = _bound_on_pass(argument, search)
    if bound is None:
        return None
    return _joined(argument, bound, search) or _made(bound, search)


def _made(node: Expression, search: _Search) -> Growing | None:
    if isinstance(node, IndexExpr):
        return _prefix(node, search)
    return _called(node, search) if isinstance(node, CallExpr) and not unpacks(node) else None


# `x[:i]`


def _prefix(node: IndexExpr, search: _Search) -> Growing | None:
    parts = node.index.items if isinstance(node.index, TupleExpr) else [node.index]
    is_array = search.is_array or _is_array(node.base, search)
    for part in parts:
        if isinstance(part, SliceExpr) and part.stride is None:
            bounds = [bound for bound in (part.begin_index, part.end_index) if bound is not None]
            moving = [found for bound in bounds if (found := _changing(bound, search)) is not None]
            others = [bound for bound in bounds if not _is_number(bound)]
            if len(moving) == len(others) == 1 and (is_array or moving[0].passes is Passes.MANY):
                return Growing(moving[0].counter)
    return None


def _changing(node: Expression, search: _Search) -> Changing | None:
    return changing_value(node, search.file, search.type_of, counts_unknown=True)


def _is_number(node: Expression) -> bool:
    return isinstance(node.expr if isinstance(node, UnaryExpr) else node, IntExpr)


def _is_array(node: Expression, search: _Search) -> bool:
    typ = search.type_of(node)
    return isinstance(typ, Instance) and is_array_like(typ.type)


# `jnp.arange(i)`, `jnp.array(xs)`


def _called(node: CallExpr, search: _Search) -> Growing | None:
    sizes = known_function(called_name(node)).shapes
    names = next((signature.arg_names for signature in signatures(getattr(node.callee, "node", None))), ())
    sized = [value for name, value in named_arguments(node, names).items() if name in sizes]
    if sized:
        found = [_changing(value, search) for value in sized]
        many = [one for one in found if one is not None and one.passes is Passes.MANY]
        return Growing(many[0].counter) if len(many) == len(sized) == 1 else None
    first = node.args[0] if node.args and _is_of_arrays(node, COLLECTING_FUNCTIONS) else None
    return _list(first, search) if isinstance(first, NameExpr) else None


def _is_of_arrays(node: CallExpr, names: Container[str]) -> bool:
    return called_name(node).startswith((JAX, f"{NUMPY}.")) and last_name(node.callee) in names


def _list(node: NameExpr, search: _Search) -> Growing | None:
    """A list that is made before the loop, and that each pass appends to before or after the call."""
    variable = node.node
    if not isinstance(variable, Var) or any(binding(variable, nodes_below(search.loop))):
        return None
    made = [binding.value for binding in bindings_of(variable, search.file)]
    if not made or not all(isinstance(value, ListExpr) for value in made):
        return None
    found = [change for change in changes(nodes_below(search.loop)) if _is_of(change.target, variable)]
    if any(change.method in SHRINKING_METHODS or not change.method for change in found):
        return None
    is_sure = any(
        change.method in EXTENDING_METHODS and surroundings(change.context, search.file).block in search.place.around
        for change in found
    )
    return _grown(variable, search) if is_sure else None


def _is_of(target: Expression, variable: Var) -> bool:
    return isinstance(target, NameExpr) and target.node is variable


def _grown(variable: Var, search: _Search) -> Growing | None:
    is_short = updating_passes(search.loop, variable, search.file) is Passes.FEW
    return Growing(variable.name) if not is_short else None


# `x = jnp.append(x, y)`


def _joined(name: NameExpr, value: Expression, search: _Search) -> Growing | None:
    variable = name.node
    if not isinstance(value, CallExpr) or not _is_of_arrays(value, JOINING_FUNCTIONS) or not value.args:
        return None
    first = value.args[0]
    parts = first.items if isinstance(first, (ListExpr, TupleExpr)) else [first]
    is_longer = len(parts) > 1 or len(value.args) > 1
    if not isinstance(variable, Var) or not is_longer or not any(_is_of(part, variable) for part in parts):
        return None
    return _grown(variable, search)


def _bound_on_pass(name: NameExpr, search: _Search) -> Expression | None:
    """What the loop binds a variable to, if it does so once, and on each pass that makes the call."""
    variable = name.node
    statements = list(binding(variable, nodes_below(search.loop))) if isinstance(variable, Var) else []
    if len(statements) != 1 or surroundings(statements[0], search.file).block not in search.place.around:
        return None
    return value_assigned(statements[0])
