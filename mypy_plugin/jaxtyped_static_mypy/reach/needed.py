"""Which arguments a function of another module needs concrete values of, itself or through those that it calls."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import Decorator, FuncDef, MypyFile, OverloadedFuncDef

from ..compat.mypy_api import lookup_fully_qualified
from ..facts.functions.keeping import facts_of_function, is_of_program, split_name
from ..facts.functions.steps import uses_of
from ..facts.needs.recording import SHAPE
from ..knowledge.full_names import JAX
from ..knowledge.jax_functions import jax_function

_DEPTH: Final = 5  # functions that call each other


class Needed(NamedTuple):
    """A parameter whose value a function needs."""

    position: int | None  # None: by name only
    name: str
    kind: str  # of use
    function: str  # that uses it so: the full name


def needed_by(function: str, modules: dict[str, MypyFile], consulted: set[str]) -> dict[str, Needed]:
    """The parameters by name. `consulted`: gets the modules that the answer depends on."""
    if function.startswith(JAX):
        return {}  # the walk through the body that calls it knows
    return {needed.name: needed for needed in _needed(function, modules, consulted, _DEPTH)}


def computed_by(function: str, modules: dict[str, MypyFile], consulted: set[str]) -> list[tuple[int | None, str]]:
    """The parameters that make the result of a function a tracer, by position, if they may be positional, and name."""
    name = _defined(function, modules)
    if function.startswith(JAX) or not is_of_program(name, modules):
        return []
    consulted.add(split_name(name, modules)[0])
    facts = facts_of_function(uses_of(name), modules) or {}
    return [(position, parameter) for position, parameter in facts.get("computes", ())]


def _needed(function: str, modules: dict[str, MypyFile], consulted: set[str], depth: int) -> Iterator[Needed]:
    """Yields what others need first, so that what the function needs itself counts."""
    if function.startswith(JAX):
        yield from _sizes(function, modules)
        return
    name = _defined(function, modules)
    if not is_of_program(name, modules):
        return
    consulted.add(split_name(name, modules)[0])
    facts = facts_of_function(uses_of(name), modules) or {}
    for position, parameter, to, index, keyword in facts.get("hands", ()) if depth else ():
        found = _taking(_needed(to, modules, consulted, depth - 1), index, keyword)
        if found is not None:
            by = name if found.function.startswith(JAX) else found.function
            yield found._replace(position=position, name=parameter, function=by)
    for position, parameter, kind in facts.get("needs", ()):
        yield Needed(position, parameter, kind, name)


def _sizes(function: str, modules: dict[str, MypyFile]) -> Iterator[Needed]:
    """The parameters of a function of JAX that decide a shape, by their places in its signature."""
    symbol = lookup_fully_qualified(function, modules)
    node = symbol.node if symbol is not None else None
    node = node.items[0] if isinstance(node, OverloadedFuncDef) and node.items else node
    node = node.func if isinstance(node, Decorator) else node
    shapes = jax_function(function).shapes
    for position, name in enumerate(node.arg_names if isinstance(node, FuncDef) else ()):
        if name in shapes:
            yield Needed(position, name, SHAPE, function)


def _taking(needed: Iterator[Needed], index: int, keyword: str) -> Needed | None:
    """What takes an argument, by its name or its place."""
    return next((one for one in needed if (one.name == keyword if keyword else one.position == index)), None)


def _defined(function: str, modules: dict[str, MypyFile]) -> str:
    """The full name under which a function is defined, perhaps in another module than the one it is imported from."""
    symbol = lookup_fully_qualified(function, modules) if "." in function else None
    return symbol.node.fullname if symbol is not None and symbol.node is not None else function
