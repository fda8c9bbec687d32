"""Schedules of optimisers: which functions a call keeps as such, and where the file runs the updates that call them.

In compiled code they get the count of the steps as a tracer.
Outside of a trace it is an array with a value, for which conditions and conversions work (Optax 0.2.8).
"""

from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    TupleExpr,
)

from ..knowledge.function_rows import New
from ..libraries import known_function
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.handing import Handed, handing
from ..source.surroundings import surroundings
from ..syntax.arguments import argument
from ..syntax.imports import full_name
from .layers import compilers_in, name_called

_UPDATE: Final = "update"
_FEWEST_ARGUMENTS: Final = 2  # gradients and a state; a dict or a hash is given one
_OF_STATE: Final = "apply_gradients"  # a method of Flax's training states

_Seen = frozenset[Node]


class UpdatesRun(Enum):
    """Where the updates of a file run."""

    COMPILED = auto()
    OUTSIDE = auto()
    UNSEEN = auto()  # some of them in another file, perhaps, or by who calls it


def schedules_given(call: CallExpr, file: CheckedFile) -> Iterator[Expression]:
    """The functions that a call keeps for what it makes: `optax.adam(f)`, `optax.inject_hyperparams(optax.adam)(f)`.

    None where all updates run outside of traces.
    """
    row = known_function(name_called(call.callee, file.tree))
    given = [argument(call, *place) for place in row.schedules]
    if isinstance(call.callee, CallExpr):
        made = known_function(name_called(call.callee.callee, file.tree))
        given += call.args if made.new is New.OPTIMISER_FACTORY else []
    for whole in given if updates_run(file) is not UpdatesRun.OUTSIDE else ():
        items = whole.items if isinstance(whole, (ListExpr, TupleExpr)) else [whole]
        yield from (item for item in items if isinstance(item, (CallExpr, LambdaExpr, MemberExpr, NameExpr)))


@once_per_file
def updates_run(file: CheckedFile) -> UpdatesRun:
    found = {_run_of(place, file) for place in _places(file)}
    if found == {UpdatesRun.OUTSIDE}:
        return UpdatesRun.OUTSIDE
    is_compiled = UpdatesRun.COMPILED in found and UpdatesRun.OUTSIDE not in found
    return UpdatesRun.COMPILED if is_compiled else UpdatesRun.UNSEEN


def _places(file: CheckedFile) -> Iterator[Expression]:
    """What is called, or handed over, to update: `tx.update(grads, state)`, `jax.jit(tx.update)`."""
    named = (*file.uses_by_name.get(_UPDATE, ()), *file.uses_by_name.get(_OF_STATE, ()))
    for method in named:
        call = file.calls_by_callee.get(method)
        is_one = call is None or method.name == _OF_STATE or len(call.args) >= _FEWEST_ARGUMENTS
        if isinstance(method, MemberExpr) and is_one:
            yield method


def _run_of(method: Expression, file: CheckedFile) -> UpdatesRun:
    if method not in file.calls_by_callee:
        return UpdatesRun.COMPILED if _is_compiled(method, file) else UpdatesRun.UNSEEN
    found = _run_at(method, file, frozenset())
    return found if found is UpdatesRun.COMPILED or _is_of_optimiser(method, file) else UpdatesRun.UNSEEN


def _is_of_optimiser(method: Expression, file: CheckedFile) -> bool:
    made = made_by(method.expr, file) if isinstance(method, MemberExpr) else None
    is_made = isinstance(made, CallExpr) and known_function(name_called(made.callee, file.tree)).new
    return is_made is New.OPTIMISER


def _run_at(place: Node, file: CheckedFile, seen: _Seen) -> UpdatesRun:
    """Where code runs: outside of traces for sure only at module level, and in what only such code calls."""
    function = surroundings(place, file).function
    if function is None:
        return UpdatesRun.OUTSIDE
    if function in seen:
        return UpdatesRun.UNSEEN
    return _run_of_function(function, file, seen | {function})


def _run_of_function(function: FuncItem, file: CheckedFile, seen: _Seen) -> UpdatesRun:
    if not isinstance(function, FuncDef):
        return UpdatesRun.COMPILED if _is_compiled(function, file) else UpdatesRun.UNSEEN
    decorator = file.decorators.get(function)
    named = [name for name in file.uses_by_name.get(function.name, ()) if _may_mean(name, function, decorator)]
    if _is_decorated(decorator, file) or any(_is_compiled(name, file) for name in named):
        return UpdatesRun.COMPILED
    found = {_run_at(name, file, seen) if name in file.calls_by_callee else UpdatesRun.UNSEEN for name in named}
    if (inner := _around(decorator or function, file, seen)) is UpdatesRun.COMPILED:
        return inner
    if UpdatesRun.COMPILED in found:
        return UpdatesRun.COMPILED
    return UpdatesRun.OUTSIDE if found == {UpdatesRun.OUTSIDE} and decorator is None else UpdatesRun.UNSEEN


def _around(definition: Node, file: CheckedFile, seen: _Seen) -> UpdatesRun | None:
    """Where the function runs in which a function is defined: what a compiled one defines, it runs."""
    return _run_at(definition, file, seen) if surroundings(definition, file).function is not None else None


def _may_mean(name: Expression, function: FuncDef, decorator: Decorator | None) -> bool:
    node = getattr(name, "node", None)
    return node in (function, decorator, *([decorator.var] if decorator else [])) or (
        bool(function.info) and isinstance(name, MemberExpr) and node is None
    )


def _is_decorated(decorator: Decorator | None, file: CheckedFile) -> bool:
    nodes = decorator.original_decorators if decorator is not None else ()
    return any(next(compilers_in(node, file), None) is not None for node in nodes)


def _is_compiled(function: Node, file: CheckedFile) -> bool:
    """Whether it is handed to `jax.jit` or its like, or to control flow of JAX."""
    around = surroundings(function, file).around
    return handing(around, lambda node: full_name(node, file.tree)).how is Handed.COMPILED
