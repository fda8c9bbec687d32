"""Finds arrays that have another shape on each pass of a loop: JAX compiles for each shape.

A prefix `x[:i]`, an array as long as a counter (`sized`), a list that each pass appends to (`collected`), and
`x = jnp.append(x, y)`. Windows, of which both bounds move, keep their length; so does what a loop appends to and takes
from.
"""

from collections.abc import Container
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    Expression,
    ForStmt,
    FuncDef,
    IndexExpr,
    IntExpr,
    ListComprehension,
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
from ...knowledge.members import AS_ARRAY, COLLECTING_FUNCTIONS, JOINING_FUNCTIONS
from ...source.bindings import bindings_of
from ...source.checked_file import CheckedFile
from ...source.surroundings import Surroundings, surroundings
from ...syntax.arguments import unpacks
from ...syntax.names import last_name
from ...syntax.trees import nodes_below
from ..declared_types import TypeOf
from ..traced.given import passed_for
from .changing import Changing, changing_value, follows_counter
from .collected import longer_on_pass
from .iterated import called_name
from .loops import Passes, binding, updating_passes
from .sized import changing_size
from .updates import value_assigned

_MAX_DEPTH: Final = 4  # of names and calls


class Growing(NamedTuple):
    """An array whose shape changes with each pass, or a list or dict of arrays that gets longer."""

    cause: str  # the variable that it depends on
    is_tree: bool = False
    is_collected: bool = False  # made of a list that gets longer, or of the array of the pass before
    line: int | None = None  # of the call in a loop, if another function has that


class _Search(NamedTuple):
    file: CheckedFile
    type_of: TypeOf
    place: Surroundings  # of the call that gets the array
    loop: Node
    is_array: bool  # whether what the call gets is one for sure


def growing_array(
    argument: Expression, call: Expression, file: CheckedFile, type_of: TypeOf, *, is_array: bool = False
) -> Growing | None:
    """How the shape of an argument changes with each pass of a loop around a call; None if it may stay the same.

    `is_array`: whether it is one by what is called.
    """
    place = surroundings(call, file)
    if not place.repeating or not isinstance(place.repeating[0], (ForStmt, WhileStmt)):
        return None
    search = _Search(file, type_of, place, place.repeating[0], is_array)
    longer = longer_on_pass(argument, place, search.loop, file) if not is_array else None
    if longer is not None:
        return Growing(longer, is_tree=True)
    return _of_value(argument, search)


def growing_by_calls(argument: Expression, file: CheckedFile, type_of: TypeOf) -> Growing | None:
    """The same of a parameter, in a function to which a loop of the file passes all that it collects, on each pass.

    One that passes more of its data on each pass, as `x[:i]`, does so on purpose.
    """
    place, name = surroundings(argument, file), _as_it_is(argument)
    variable, function = name.node if isinstance(name, NameExpr) else None, place.function
    if not isinstance(variable, Var) or not isinstance(function, FuncDef) or place.repeating:
        return None
    is_given = any(variable is one.variable for one in function.arguments)
    if not is_given or not all(binding.is_parameter for binding in bindings_of(variable, file)):
        return None
    passed = (value for value in passed_for(file, function, variable.name) if value is not None)
    found = ((value, growing_array(value, value, file, type_of)) for value in passed)
    growing = next((value for value, one in found if one is not None and one.is_collected), None)
    return Growing(variable.name, line=growing.line) if growing is not None else None


def _as_it_is(node: Expression) -> Expression:
    """What is handed on as an array: `x` in `jnp.asarray(x)`."""
    while isinstance(node, CallExpr) and node.args and _is_of_arrays(node, AS_ARRAY):
        node = node.args[0]
    return node


def _of_value(node: Expression, search: _Search, depth: int = _MAX_DEPTH) -> Growing | None:
    """Of a name: what the loop gives to it."""
    if not isinstance(node, NameExpr) or not depth:
        return _made(node, search, depth) if depth else None
    bound = _bound_on_pass(node, search)
    if bound is None:
        return None
    return _joined(node, bound, search) or _made(bound, search, depth)


def _made(node: Expression, search: _Search, depth: int) -> Growing | None:
    if isinstance(node, IndexExpr):
        return _prefix(node, search)
    return _called(node, search, depth) if isinstance(node, CallExpr) and not unpacks(node) else None


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


def _called(node: CallExpr, search: _Search, depth: int) -> Growing | None:
    sized = changing_size(
        node, lambda value: _changing(value, search), lambda value: follows_counter(value, search.file, search.type_of)
    )
    if sized is not None:
        return Growing(sized.counter)
    first = node.args[0] if node.args and _is_of_arrays(node, COLLECTING_FUNCTIONS) else None
    if first is None:
        return None
    cause = longer_on_pass(_listed(first), search.place, search.loop, search.file)
    if cause is None and _is_of_arrays(node, AS_ARRAY):  # of an array that another call makes
        return _of_value(first, search, depth - 1)
    return Growing(cause, is_collected=True) if cause is not None else None


def _listed(node: Expression) -> Expression:
    """The list with as many items: `xs` in `[f(x) for x in xs]`."""
    made = node.generator if isinstance(node, ListComprehension) else None
    if made is None or len(made.sequences) != 1 or any(made.condlists):
        return node
    return made.sequences[0]


def _is_of_arrays(node: CallExpr, names: Container[str]) -> bool:
    return called_name(node).startswith((JAX, f"{NUMPY}.")) and last_name(node.callee) in names


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
    is_short = updating_passes(search.loop, variable, search.file) is Passes.FEW
    return Growing(variable.name, is_collected=True) if not is_short else None


def _is_of(target: Expression, variable: Var) -> bool:
    return isinstance(target, NameExpr) and target.node is variable


def _bound_on_pass(name: NameExpr, search: _Search) -> Expression | None:
    """What the loop binds a variable to, if it does so once, and on each pass that makes the call."""
    variable = name.node
    statements = list(binding(variable, nodes_below(search.loop))) if isinstance(variable, Var) else []
    if len(statements) != 1 or surroundings(statements[0], search.file).block not in search.place.around:
        return None
    return value_assigned(statements[0])
