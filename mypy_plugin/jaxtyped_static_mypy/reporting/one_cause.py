"""One error for each cause: what is wrong with one class in one position, and one advice that mends all of it."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from mypy.nodes import TypeInfo

from ..classes.hashing import makes_arrays
from ..classes.reasons import BY_IDENTITY, FREEZABLE, HOLDS_ARRAYS, Fault, Reason
from ..classes.self_uses import uses_by_method
from ..facts.class_facts import facts_of
from ..facts.objects.uses import Change
from ..reach.held_arrays import holds_arrays_below
from ..source.checked_file import CheckedFile
from .actions import Action, Alternative
from .contract_rule import ContractRule
from .evidence.changes import instead_of_changing
from .evidence.needed import Shown
from .harm import rank
from .messages import ALTERNATIVE
from .positions import Position

# Of two that do equal harm, the first is the error: to make an array dynamic settles what else its holder is.
_CODES: Final = ("static-dynamic", "static-mutable", "static-hash")
_MENDED_BY_FREEZING: Final = FREEZABLE | {Reason.ASSIGNED_LATER}
_CONTAINERS: Final = frozenset({Reason.MUTABLE_TYPE, Reason.TYPED_DICT})
_ADVICE_FREEZE: Final = "make it a frozen dataclass"
_FREEZE_AND_COMPARE: Final = Alternative("{detail}, and remove eq=False", Action.FREEZE, needs=("frozen_by",))
# A class that holds arrays cannot be static, frozen or not.
ADVICE_TREE: Final = "make it a pytree whose arrays are data fields, and pass it as a dynamic argument"
_ADVICE_TREE_IN_FIELD: Final = "make it a pytree whose arrays are data fields, and this a data field"
# So is one that holds such objects; unless what they are made of stands for them.
_ADVICE_TREES: Final = "make it, and what it holds, a pytree, and pass it as a dynamic argument"
_ADVICE_TREES_IN_FIELD: Final = "make it, and what it holds, a pytree, and this a data field"
_ADVICE_KEY: Final = "define __eq__ and __hash__ over what its arrays are made of"
_ADVICE_TREES_OR_KEY: Final = f"{_ADVICE_TREES}{ALTERNATIVE}{_ADVICE_KEY}"
_ADVICE_TREES_IN_FIELD_OR_KEY: Final = f"{_ADVICE_TREES_IN_FIELD}{ALTERNATIVE}{_ADVICE_KEY}"


class Broken(NamedTuple):
    """A rule that a value breaks."""

    rule: ContractRule
    fault: Fault
    shown: Shown
    problem: str
    holds_arrays: bool  # the value at fault, so that no change of its class makes it static
    holds_containers: bool = False  # lists and dicts: a frozen class that holds them cannot be hashed
    holds_arrays_deep: bool = False  # in an object that an attribute of it holds
    also: tuple["Broken", ...] = ()  # what else is wrong with the same class

    @property
    def code(self) -> str:
        return self.rule.code.code


def one_for_each_class(found: Iterable[Broken]) -> list[Broken]:
    """Puts what is wrong with one class together, below what does the most harm."""
    kept: list[Broken] = []
    for broken in sorted(found, key=_order):
        index = next((index for index, other in enumerate(kept) if _are_of_one_class(broken, other)), None)
        if index is None:
            kept.append(broken)
        elif not broken.shown.harm.is_potential or kept[index].shown.harm.is_potential:
            kept[index] = kept[index]._replace(also=(*kept[index].also, broken))
    return kept


def _order(broken: Broken) -> tuple[int, int]:
    return rank(broken.shown.harm), _CODES.index(broken.code) if broken.code in _CODES else len(_CODES)


def _are_of_one_class(one: Broken, other: Broken) -> bool:
    codes = {one.code, other.code}
    if len(codes) == 1 or not codes.issubset(_CODES):
        return False
    paths = one.fault.path, other.fault.path
    if "static-dynamic" not in codes:
        return paths[0] == paths[1] and one.fault.declared is other.fault.declared
    array, holder = paths if one.code == "static-dynamic" else reversed(paths)
    if array == holder:  # two members of a union, unless it is one class
        return one.fault.declared is not None and one.fault.declared is other.fault.declared
    return array[: len(holder)] == holder


def advice_for_all(broken: Broken, position: Position) -> str | Alternative | None:
    """One advice that mends all that is wrong with the class; None for that of the rule."""
    if broken.code not in _CODES or broken.code == "static-dynamic":
        return None
    if broken.holds_arrays:
        if broken.shown.changes and not position.is_signed:  # without them, the rest is potential
            return instead_of_changing(position)
        return ADVICE_TREE if position.is_argument else _ADVICE_TREE_IN_FIELD
    if broken.holds_arrays_deep:
        if broken.shown.changes and not position.is_signed:
            return instead_of_changing(position)
        return _ADVICE_TREES_OR_KEY if position.is_argument else _ADVICE_TREES_IN_FIELD_OR_KEY
    if broken.fault.reason is Reason.SETTABLE_PROPERTY and broken.shown.changes:
        return instead_of_changing(position)  # code uses the setter, or changes what is behind it
    if has_to_change(broken, position):
        return instead_of_changing(position)
    reasons = {other.fault.reason for other in broken.also}
    if broken.fault.reason is Reason.ASSIGNABLE_ATTRIBUTE and not reasons.isdisjoint(BY_IDENTITY):
        return _ADVICE_FREEZE
    if broken.fault.frozen_by and Reason.EQ_SWITCHED_OFF in reasons:
        return _FREEZE_AND_COMPARE
    return None


def has_to_change(broken: Broken, position: Position) -> bool:
    """Whether to freeze the class is no way out: it has methods that only set attributes, or holds lists and dicts."""
    info = broken.fault.declared
    if position.is_signed or info is None or broken.fault.reason not in _MENDED_BY_FREEZING or not broken.shown.changes:
        return False
    return broken.holds_containers or _is_changed_by_setter(broken.shown.changes, info)


def _is_changed_by_setter(changes: Iterable[tuple[str, Change]], info: TypeInfo) -> bool:
    """Whether one of these changes is made by a method that does nothing else."""
    uses = uses_by_method(info)
    methods = (change.where.rpartition(".")[2] for _, change in changes)
    setters = (uses[name] for name in methods if name in uses)
    return any(use.takes_arguments and not use.is_passed_on and use.read <= use.assigned for use in setters)


def holds_containers(fault: Fault, faults: Iterable[Fault]) -> bool:
    """Whether the value at fault holds what is mutable in itself."""
    if fault.declared is not None and any(facts_of(base).get("keeps_containers") for base in fault.declared.mro):
        return True
    containers = (other.path for other in faults if other.reason in _CONTAINERS)
    return any(len(path) > len(fault.path) and path[: len(fault.path)] == fault.path for path in containers)


def holds_arrays_deep(fault: Fault, file: CheckedFile) -> bool:
    """Whether objects of a class that nothing compares by value hold others with arrays, so that nothing can."""
    info = fault.declared if fault.reason in FREEZABLE | BY_IDENTITY else None
    return info is not None and holds_arrays_below(file, info)


def holds_arrays(fault: Fault, faults: Iterable[Fault]) -> bool:
    """Whether the value at fault holds what has to be traced."""
    if fault.declared is not None and makes_arrays(fault.declared):
        return True
    arrays = (other.path for other in faults if other.reason in HOLDS_ARRAYS)
    return any(path[: len(fault.path)] == fault.path for path in arrays)
