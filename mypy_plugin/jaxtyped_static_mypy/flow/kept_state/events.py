"""The places of a file that call a compiled function or change what it reads, and the calls that lead there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mypy.nodes import AssignmentStmt, CallExpr, FuncDef, FuncItem, NameExpr, Node, Var

from ...reach.roots import compiles, roots_of
from ...reach.traced_calls import traced_calls
from ...reach.uses import CERTAIN, uses_of
from ...source.bindings import bindings_of
from ...source.checked_file import CheckedFile
from ...source.expected import is_error_expected
from ...source.surroundings import surroundings
from .slots import called_at, own_of
from .written import Written


class Events(NamedTuple):
    """What matters to the values that a compiled function keeps."""

    calls: frozenset[CallExpr]  # of the compiled function
    writes: Mapping[Node, Sequence[Written]]  # by statement
    makes: frozenset[Node]  # what compiles the function anew
    leading: Mapping[CallExpr, FuncDef]  # calls of functions that lead to any of it
    around: frozenset[Node]  # the nodes around all of this


def calls_of(function: FuncItem, file: CheckedFile) -> frozenset[CallExpr]:
    """The calls of a compiled function: by its name if a decorator compiles it, else by that of what `jit` returns.

    None if another function of its name replaces it.
    """
    if _is_replaced(function, file):
        return frozenset()
    if isinstance(function, FuncDef) and function in file.decorators:
        found: Iterable[CallExpr] = uses_of(file, function).calls(CERTAIN)
    else:
        found = [call for jitted in jitted_in(function, file) for call in _calls_of_result(jitted, file)]
    return frozenset(call for call in found if not is_error_expected(call, file))


def jitted_in(function: FuncItem, file: CheckedFile) -> list[CallExpr]:
    """The calls that return what is compiled: of `jax.jit(jax.grad(f))` the whole."""
    handed = uses_of(file, function).handed_over
    return [_outermost(call, file) for call, traced in handed if compiles(traced.transformation)]


def _outermost(call: CallExpr, file: CheckedFile) -> CallExpr:
    """A call, or the one around it that hands what it makes to JAX."""
    taking = file.calls_taking.get(call)
    while taking is not None and any(traced.function is call for traced in traced_calls(file, taking)):
        call, taking = taking, file.calls_taking.get(taking)
    return call


def _is_replaced(function: FuncItem, file: CheckedFile) -> bool:
    around = surroundings(function, file).function
    others = (other for other in file.functions_named.get(function.name, ()) if other is not function)
    return any(other.info is function.info and surroundings(other, file).function is around for other in others)


def _calls_of_result(jitted: CallExpr, file: CheckedFile) -> Sequence[CallExpr]:
    """`fast = jax.jit(f)`, then `fast(x)`."""
    statement = surroundings(jitted, file).parent
    target = statement.lvalues[0] if isinstance(statement, AssignmentStmt) and len(statement.lvalues) == 1 else None
    variable = target.node if isinstance(target, NameExpr) else None
    if not isinstance(target, NameExpr) or not isinstance(variable, Var) or len(bindings_of(variable, file)) != 1:
        return ()
    return file.calls_at(file.other_uses(target))


def events_of(function: FuncItem, calls: frozenset[CallExpr], writes: list[Written], file: CheckedFile) -> Events:
    by_statement: dict[Node, list[Written]] = {}
    for written in writes:
        by_statement.setdefault(written.statement, []).append(written)
    makes = {function, *_makers(function, file)}
    leading = dict(_leading([*calls, *by_statement], function, file))
    nodes = [*calls, *by_statement, *makes, *leading]
    around = frozenset(part for node in nodes for part in surroundings(node, file).around)
    return Events(calls, by_statement, frozenset(makes), leading, around)


def _makers(function: FuncItem, file: CheckedFile) -> Iterator[Node]:
    if isinstance(function, FuncDef) and function in file.decorators:
        yield file.decorators[function]
    yield from jitted_in(function, file)


def _leading(nodes: list[Node], compiled: FuncItem, file: CheckedFile) -> Iterator[tuple[CallExpr, FuncDef]]:
    """The calls of functions that have these nodes, or such calls; not those of code that JAX traces."""
    seen, pending = set[FuncItem](), list(nodes)
    while pending:
        function = surroundings(pending.pop(), file).function
        if not isinstance(function, FuncDef) or function in seen or function is compiled or function in roots_of(file):
            continue
        seen.add(function)
        for call in _calls_certain(function, file):
            yield call, function
            pending.append(call)


def _calls_certain(function: FuncDef, file: CheckedFile) -> Iterator[CallExpr]:
    yield from uses_of(file, function).calls(CERTAIN)
    for call in file.calls_by_name.get(function.name, ()) if function.info else ():
        own = dict(own_of(surroundings(call, file).function))
        called = called_at(call.callee, own, file)
        if called is not None and called.function is function:
            yield call


def bodies(events: Events, compiled: FuncItem, file: CheckedFile) -> Iterator[FuncItem | None]:
    """The functions that both lead to a call and to a change; None for the module."""
    asks = (events.calls, events.writes, events.leading)
    found = dict.fromkeys(surroundings(node, file).function for nodes in asks for node in nodes)
    traced = roots_of(file)
    return (body for body in found if body is not compiled and body not in traced)


def is_manager(function: FuncDef, file: CheckedFile) -> bool:
    """Whether `with` runs it up to its `yield`."""
    decorator = file.decorators.get(function)
    return decorator is not None and function.is_generator
