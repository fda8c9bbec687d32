"""Functions of a program that hand a parameter of theirs to JAX's control flow as it is: `def my_scan(f, ...)`."""

from collections.abc import Iterator
from typing import Any, Final

from mypy.nodes import ARG_STAR, Argument, CallExpr, Expression, FuncDef, NameExpr
from mypy.types import UnboundType

from ...knowledge.eager_functions import EAGER_FUNCTIONS, eager_function
from ...syntax.arguments import argument
from ...syntax.assignments import targets_of
from ...syntax.names import dotted_name, is_named
from .forwarding import own_nodes
from .scope import ModuleNames
from .steps import FunctionFacts

_LAST_NAMES: Final = frozenset(name.rpartition(".")[2] for name in EAGER_FUNCTIONS)
# Annotations of parameters that take functions, by the last part of their names.
_OF_FUNCTIONS: Final = frozenset({"Any", "Callable"})


def read_loop_bodies(function: FuncDef, names: ModuleNames, *, is_bound: bool = False) -> FunctionFacts | None:
    """For each such parameter its number, its name, and the function of JAX that gets it.

    The number is None for `*args`, which stand for all arguments of that function. `is_bound`: calls do not pass the
    first parameter.
    """
    own = range(int(is_bound), len(function.arguments))
    taken = [index for index in own if _may_take_function(function.arguments[index])]
    found = list(_handed(function, taken, names)) if taken else []
    if is_bound:
        found = [[index - 1 if index is not None else None, name, to] for index, name, to in found]
    return {"bodies": found} if found else None


def read_loop_alias(value: Expression, names: ModuleNames) -> FunctionFacts | None:
    """The same of another name for such a function of JAX: `scan = lax.scan`."""
    full_name = _loop_named(value, names)
    return {"bodies": [[None, "", full_name]]} if full_name else None


def _may_take_function(argument: Argument) -> bool:
    declared = argument.type_annotation
    name = declared.name.rpartition(".")[2] if isinstance(declared, UnboundType) else ""
    return declared is None or name in _OF_FUNCTIONS or argument.kind is ARG_STAR


def _handed(function: FuncDef, taken: list[int], names: ModuleNames) -> Iterator[list[Any]]:
    nodes = list(own_nodes(function))
    calls = (node for node in nodes if isinstance(node, CallExpr))
    loops = [(call, full_name) for call in calls if (full_name := _loop_named(call.callee, names))]
    if not loops:
        return
    bound = {target.name for node in nodes for target in targets_of(node) if isinstance(target, NameExpr)}
    for index in taken:
        given, name = function.arguments[index], function.arguments[index].variable.name
        if name in bound:
            continue  # it may be another value by then
        for call, full_name in loops:
            if given.kind is ARG_STAR:
                if call.arg_kinds[:1] == [ARG_STAR] and is_named(call.args[0], name):
                    yield [None, name, full_name]
            elif any(_is_passed(call, at, body, name) for at, body in _bodies(full_name)):
                yield [index, name, full_name]


def _loop_named(node: Expression, names: ModuleNames) -> str:
    """The full name of the control flow that a name stands for; empty for anything else."""
    callee = dotted_name(node) or ""
    full_name = names.full_name(callee) if callee.rpartition(".")[2] in _LAST_NAMES else ""
    return full_name if _bodies(full_name) else ""


def _bodies(full_name: str) -> tuple[tuple[int, str], ...]:
    """The parameters whose functions it compiles; none where it compiles on each call, whatever it is given."""
    row = eager_function(full_name)
    return row.bodies if row is not None and not row.is_always else ()


def _is_passed(call: CallExpr, index: int, body: str, name: str) -> bool:
    passed = argument(call, index, body)
    return isinstance(passed, NameExpr) and passed.name == name
