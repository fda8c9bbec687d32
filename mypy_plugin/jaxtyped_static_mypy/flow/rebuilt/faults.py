"""What can be wrong with the two functions that take a pytree apart and rebuild it."""

from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

from mypy.nodes import Context, FuncDef, FuncItem

from ...source.parameters import described
from ...syntax.stand_ins import stands_in
from .registered import Function


class Fault(Enum):
    """What is wrong; the words are those of the rule."""

    RETURNS_NOTHING = auto()
    NO_PAIR = auto()
    NO_CHILDREN = auto()
    CHILDREN_OF_DICT = auto()
    PARAMETERS = auto()
    NOT_REBUILT = auto()
    UNPACKED = auto()
    NO_ITEM = auto()
    NOT_TAKEN = auto()
    CHILDREN_FIRST = auto()
    CHILDREN_FIRST_UNSEEN = auto()  # nothing raises
    SWAPPED = auto()
    LOST = auto()
    NOT_SET = auto()
    SHARED = auto()
    OWN_INIT = auto()  # of a dataclass that JAX rebuilds by its fields
    CHANGED_AGAIN = auto()


class Found(NamedTuple):
    """A fault, and what its message says. `is_certain`: it happens to every object.

    `is_inherited`: the code is that of a base, whose own objects may have no such fault.
    """

    fault: Fault
    place: Context
    values: Mapping[str, str]
    is_certain: bool = True
    is_inherited: bool = False


def name_of(function: Function) -> str:
    return described(function.node).replace("a lambda", "This lambda")


def is_left_open(function: FuncItem) -> bool:
    """Whether a function is there for others to define, or returns something else than it seems to."""
    return function.is_generator or function.is_coroutine or (isinstance(function, FuncDef) and stands_in(function))


def wrong_parameters(function: Function, given: int, what: str) -> Found | None:
    """The fault of a function that takes another number of arguments than JAX gives it. `what`: those."""
    kinds = [argument.kind for argument in function.node.arguments]
    if any(kind.is_star() and not kind.is_named(star=True) for kind in kinds):
        return None
    own = kinds[function.bound :] if len(kinds) >= function.bound else []
    places = sum(kind.is_positional() for kind in own)
    if sum(kind.is_required() for kind in own) <= given <= places:
        return None
    values = {"function": name_of(function), "taken": counted(places), "given": what}
    return Found(Fault.PARAMETERS, function.node, values)


def counted(count: int) -> str:
    return f"{count} argument{'s' * (count != 1)}"
