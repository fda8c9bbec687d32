"""What a module does with objects: the form in which it is found, and kept."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

ANY_ATTRIBUTE: Final = "*"  # set by a name that is not written out: `setattr(config, name, value)`
UNKNOWN: Final = ""  # an object of which the syntax does not show what it is


class How(StrEnum):
    """How a statement changes an object."""

    ASSIGNED = "assigned"
    DELETED = "deleted"
    FORCED = "forced"  # by `object.__setattr__` or through `__dict__`
    ITEM = "item"  # of what the attribute holds: `config.sizes[0] = 1`
    METHOD = "method"  # of what it holds: `config.sizes.append(1)`


REFUSED_WHEN_FROZEN: Final = frozenset({How.ASSIGNED, How.DELETED})
IN_PLACE: Final = frozenset({How.ITEM, How.METHOD})


class Change(NamedTuple):
    """A statement that changes an attribute of an object, or what it holds, after the object was made."""

    owner: str  # what has the attribute, as `resolving` reads it: `app.Config()`, or UNKNOWN
    attribute: str
    how: How
    where: str  # the function around it, with those and the classes around that; empty at module level
    compiles_again: bool  # the same function compiles something: what changes is compiled in anew
    line: int

    @property
    def is_refused_when_frozen(self) -> bool:
        return self.how in REFUSED_WHEN_FROZEN


class CallMade(NamedTuple):
    """A call of something that the module defines or imports: of a class, it makes an object."""

    callee: str  # as `resolving` reads it: `app.Config`
    where: str
    line: int
    is_repeated: bool  # a loop or comprehension of the same function runs it


class ModuleUses(NamedTuple):
    """What one module does with objects, and what it takes to know which objects these are."""

    module: str
    changes: tuple[Change, ...] = ()
    calls: tuple[CallMade, ...] = ()
    bases: Mapping[str, tuple[str, ...]] = MappingProxyType({})  # of each class: `app.Config`
    declared: Mapping[str, str] = MappingProxyType({})  # what an annotated attribute holds: `Trainer.config`
    inferred: Mapping[str, str] = MappingProxyType({})  # the same, by the values that it is set to
    results: Mapping[str, str] = MappingProxyType({})  # what a function is declared to return
    names: Mapping[str, str] = MappingProxyType({})  # what a variable, or an imported name, stands for
    stars: tuple[str, ...] = ()  # the modules of which all names are imported
