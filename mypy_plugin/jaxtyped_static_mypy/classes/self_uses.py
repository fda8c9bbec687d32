"""Finds which attributes of `self` methods read and assign."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from mypy.nodes import Decorator, FuncDef, OverloadedFuncDef, TypeInfo

from ..facts.class_facts import facts_of
from ..facts.method_facts import MAKING
from ..facts.self_facts import SelfUses, joined, joined_parts, uses_from

# Methods that run before anything else uses the object; `setup` is defined by Flax.
_MAKING: Final = MAKING | {"setup"}


class Reached(NamedTuple):
    """What a method reads, by itself and in the methods that it uses."""

    attributes: frozenset[str]
    methods: frozenset[str]
    is_known: bool
    parts: frozenset[str] = frozenset()  # `state.apply_fn`: of each attribute that is nowhere read as a whole


def uses_by_method(info: TypeInfo) -> Mapping[str, SelfUses]:
    """The uses of `self` in each method that a class has by the program's own classes, with what it calls of bases."""
    found: dict[str, SelfUses] = {}
    for base in info.mro:
        for name, kept in facts_of(base).get("uses_of_self", {}).items():
            above = found.get(name)
            if above is None:
                found[name] = uses_from(kept)
            elif above.calls_base:
                found[name] = joined(above._replace(calls_base=False), uses_from(kept))
    return found


def reached_from(method: str, uses: Mapping[str, SelfUses], info: TypeInfo) -> Reached:
    """What a method reads, directly and through the methods and properties that it uses."""
    attributes: set[str] = set()
    methods: set[str] = set()
    pending, is_known = [method], True
    while pending:
        name = pending.pop()
        if name in methods or name in attributes:
            continue
        if name in uses:
            methods.add(name)
            pending.extend(uses[name].read)
            is_known = is_known and not uses[name].is_passed_on and not uses[name].calls_base
        elif _is_function(info, name):
            is_known = False  # its source is in another module
        else:
            attributes.add(name)
    parts = joined_parts(*(uses[name] for name in methods))
    return Reached(frozenset(attributes), frozenset(methods), is_known, parts)


def _is_function(info: TypeInfo, name: str) -> bool:
    symbol = info.get(name)
    return symbol is not None and isinstance(symbol.node, (FuncDef, Decorator, OverloadedFuncDef))


def making_methods(uses: Mapping[str, SelfUses], info: TypeInfo) -> frozenset[str]:
    """The methods that only run while the object is made: `__init__`, and those that only such methods use."""
    by_bases = (name for base in info.mro for name in facts_of(base).get("called_by_init", ()))
    callers = {name: {"__init__"} for name in by_bases}
    for method, use in uses.items():
        for name in use.read:
            callers.setdefault(name, set()).add(method)
    making = frozenset(_MAKING)
    while True:
        called = {name for name in uses.keys() & callers if name not in making and callers[name] <= making}
        if not called:
            return making
        making |= called
