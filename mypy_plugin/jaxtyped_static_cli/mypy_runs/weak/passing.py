"""What a call passes to a compiled function, or to a derivative."""

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from .effort import EFFORT
from .scopes import Given, Running, parameters
from .values import UNKNOWN, Compiled, Dict, Function, Gradient, Leaf, Object, Partial, Tuple, Value, leaves, mapped

_MAX_DEPTH: Final = 12  # of a tree


def passed_to(compiled: Compiled, given: Given) -> Mapping[tuple[int | str, str], Leaf]:
    """The leaves that may be traced, by the argument, and where they are in it."""
    found: dict[tuple[int | str, str], Leaf] = {}
    names = list(_names(compiled.function))
    for place, value in _arguments(given):
        name = names[place] if isinstance(place, int) and place < len(names) else place
        if place in compiled.static_numbers or name in compiled.static_names:
            continue
        found |= {(place, path): leaf for path, leaf in leaves(value)}
    return found


def rebuilt(given: Given) -> Given:
    """The arguments as a trace gets them: JAX rebuilds trees, so that what a function assigns to one stays there."""
    args = tuple(_rebuilt(value) for value in given.args)
    return Given(args, {name: _rebuilt(value) for name, value in given.keywords.items()}, given.is_open)


def _rebuilt(value: Value, depth: int = _MAX_DEPTH) -> Value:
    EFFORT.spend()
    match value:
        case Tuple() if depth:
            return Tuple(tuple(_rebuilt(item, depth - 1) for item in value.items))
        case Dict() if depth:
            return Dict({key: _rebuilt(item, depth - 1) for key, item in value.items.items()})
        case Object() if depth and value.cls.is_tree:
            return Object(value.cls, {name: _rebuilt(item, depth - 1) for name, item in value.fields.items()})
    return value


def _arguments(given: Given) -> Iterator[tuple[int | str, Value]]:
    yield from enumerate(given.args)
    yield from given.keywords.items()


def _names(function: Value) -> Iterator[str]:
    while isinstance(function, Partial):
        function = function.function
    if isinstance(function, Function):
        yield from (one.arg for one in parameters(function.node))


def name_of(function: Value) -> str:
    while isinstance(function, Partial | Compiled):
        function = function.function
    is_named = isinstance(function, Function) and isinstance(function.node, ast.FunctionDef)
    return function.node.name if is_named else "the function"  # type: ignore[union-attr]


def gradients(function: Gradient, given: Given, node: ast.AST, running: Running) -> Value:
    """What a derivative returns: a gradient may have a weak type where the parameter has one, and nowhere else."""
    with running.tracing():
        result = running.call(function.function, given, node)
    first = given.args[0] if given.args and function.is_of_first else UNKNOWN
    gradient = mapped([first], _gradient)
    if not function.has_value:
        aux = result.items[1] if isinstance(result, Tuple) and len(result.items) > 1 else UNKNOWN
        return Tuple((gradient, aux)) if function.has_aux else gradient
    return Tuple((result, gradient))


def _gradient(at_one_place: list[Value]) -> Value:
    first = at_one_place[0]
    return first if isinstance(first, Leaf) and first.is_array and not first.is_weak else UNKNOWN
