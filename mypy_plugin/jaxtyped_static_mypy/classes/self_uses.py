"""Finds which attributes of `self` methods read and assign."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from mypy.nodes import Decorator, FuncDef, OverloadedFuncDef, SymbolNode, TypeInfo

from ..facts.class_facts import facts_of
from ..facts.left_out import EITHER
from ..facts.method_facts import MAKING
from ..facts.self_facts import SelfUses, in_full, joined, joined_parts, uses_from, without

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


def set_again(info: TypeInfo) -> frozenset[str]:
    """The attributes that a class gives another value later, whatever a base of it does that is not seen.

    That base may refuse changes, or call methods as it is made. So the class itself has to give the attribute a value
    first, and to take another one by a method with arguments.
    """
    uses = uses_by_method(info)
    making = making_methods(uses, info)
    given = frozenset[str]().union(*(use.given for name, use in uses.items() if name in making))
    setters = (use for name, use in uses.items() if use.takes_arguments and not name.startswith("__"))
    return given & frozenset[str]().union(*(use.assigned for use in setters))


def reached_from(method: str, uses: Mapping[str, SelfUses], info: TypeInfo) -> Reached:
    """What a method reads, directly and through the methods and properties that it uses.

    What it reads instead of a parameter counts, too: its own callers may leave that out.
    """
    left_out: dict[str, frozenset[str]] = {}  # the parameters of each method that one of the calls leaves out
    attributes: set[str] = set()
    pending, is_known = [(method, _optional(uses.get(method)))], True
    while pending:
        name, missing = pending.pop()
        if name in uses and missing <= left_out.get(name, frozenset()) and name in left_out:
            continue
        if name in uses:
            left_out[name] = missing | left_out.get(name, frozenset())
            use = without(uses[name], left_out[name])
            pending += [(called, _left_out(called, use, left_out[name], uses.get(called))) for called in use.read]
            is_known = is_known and not use.is_passed_on and not use.calls_base and _stays(use.handed_to, info)
        elif _is_given_object(info, name):
            is_known = False  # its source is in another module
        else:
            attributes.add(name)
    parts = joined_parts(*(without(uses[name], missing) for name, missing in left_out.items()))
    return Reached(frozenset(attributes), frozenset(left_out), is_known, parts)


def _optional(use: SelfUses | None) -> frozenset[str]:
    """The parameters of a method for which it reads something else where they are left out, or may have others do."""
    if use is None:
        return frozenset()
    origins = (argument.origin for argument in use.arguments if argument.origin)
    return frozenset([*(fallback.parameter for fallback in use.fallbacks), *origins])


def _left_out(called: str, by: SelfUses, missing: frozenset[str], use: SelfUses | None) -> frozenset[str]:
    """The parameters that a method leaves out where it calls another one. `missing`: those that it does not get."""
    optional = _optional(use)
    if use is None or not optional:
        return optional
    given = (argument for argument in by.arguments if argument.method == called and argument.origin not in missing)
    return optional - {_parameter(part.parameter, use.parameters) for part in given}


def _parameter(key: str, names: Sequence[str]) -> str:
    """The name of a parameter; empty if calls give another one at the position than by the name."""
    name, _, position = key.rpartition(EITHER)
    if not position.isdigit():
        return key
    found = names[int(position)] if int(position) < len(names) else ""
    return found if name in ("", found) else ""


def _stays(handed_to: Iterable[str], info: TypeInfo) -> bool:
    """Whether only methods of the class get its objects by these names: others may read whatever they want.

    What a class does not define, its subclasses do.
    """
    symbols = (info.get(name) for name in handed_to)
    return all(symbol is None or _is_method(symbol.node) for symbol in symbols)


def _is_method(node: SymbolNode | None) -> bool:
    return isinstance(node, FuncDef) or (isinstance(node, Decorator) and not node.func.is_property)


def _is_given_object(info: TypeInfo, name: str) -> bool:
    """Whether this is a method that gets the object: a static one reads nothing of it."""
    symbol = info.get(name)
    node = symbol.node if symbol is not None else None
    function = node.func if isinstance(node, Decorator) else node
    return isinstance(function, FuncDef | OverloadedFuncDef) and not function.is_static


def making_methods(uses: Mapping[str, SelfUses], info: TypeInfo) -> frozenset[str]:
    """The methods that only run while the object is made: `__init__`, and those that only such methods use."""
    by_bases = (name for base in info.mro for name in facts_of(base).get("called_by_init", ()))
    callers = {name: {"__init__"} for name in by_bases}
    for method, use in uses.items():
        for name in in_full(use).read:
            callers.setdefault(name, set()).add(method)
    making = frozenset(_MAKING)
    while True:
        called = {name for name in uses.keys() & callers if name not in making and callers[name] <= making}
        if not called:
            return making
        making |= called
