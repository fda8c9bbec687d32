"""Walks from a type to every class it holds, judges each by itself, and passes its faults on to the classes holding it.

Classes may hold each other, and one may reach a great many, so they are judged one after another, not recursively.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Final, NamedTuple

from mypy.nodes import TypeAlias, TypeInfo
from mypy.types import Instance, ProperType, Type, TypeAliasType, get_proper_type

from ..classes.reasons import HOLDS_ARRAYS, REPORTED_EACH, Fault, Reason
from ..compat.mypy_api import expand_alias_once
from ..config.settings import Settings
from ..memory import depend_on, once_per_run
from ..syntax.type_parts import parts_of

Path = tuple[str, ...]

# Limits for a generic class that holds itself with other type arguments, and may never repeat.
_MAX_GROWTH: Final = 8  # how often its type arguments may grow
_MAX_FORMS: Final = 100  # instances with grown type arguments, in one walk


@dataclass(frozen=True, eq=False)
class Consulted:
    """The classes and aliases that an answer depends on: a graph, possibly cyclic, as answers share parts."""

    nodes: set[TypeInfo | TypeAlias] = field(default_factory=set)
    below: list["Consulted"] = field(default_factory=list)

    def everything(self) -> set[TypeInfo | TypeAlias]:
        return set(self.new_in(set()))

    def new_in(self, seen: set["Consulted"]) -> Iterator[TypeInfo | TypeAlias]:
        """The nodes of the parts that were not yet seen; adds these parts to `seen`."""
        todo = [self]
        while todo:
            part = todo.pop()
            if part not in seen:
                seen.add(part)
                yield from part.nodes
                todo.extend(part.below)


class Verdict(NamedTuple):
    """The faults of a type, outermost first, and the classes and aliases that were consulted to find them."""

    faults: tuple[Fault, ...]
    consulted: Consulted


@once_per_run
def _verdicts() -> dict[Instance, Verdict]:
    """By class and type arguments."""
    return {}


class HeldClass(NamedTuple):
    """A class that the visited type holds, and the path to it."""

    path: Path
    type: Instance
    arrays: tuple[Fault, ...] | None = None  # what the visited type reports instead, where this class holds arrays
    is_in_identity: bool = False  # whether the visited type is hashed by identity

    def passed_on(self, faults: Iterable[Fault]) -> Iterator[Fault]:
        """The faults of this class, as those of the visited type."""
        for fault in faults:
            if self.arrays is not None and fault.reason in HOLDS_ARRAYS:
                yield from self.arrays
            else:
                passed = fault.in_identity() if self.is_in_identity else fault
                yield passed._replace(path=self.path + fault.path)


Item = Fault | HeldClass


@dataclass(eq=False)
class Visit:
    """What was found at a class, or at the judged type: its own faults, and the classes it holds."""

    holder: Instance | None = None  # the class that led here first
    growth: int = 0  # how often the type arguments grew on the way to this class
    items: list[Item] = field(default_factory=list)
    seen: set[ProperType] = field(default_factory=set)
    consulted: Consulted = field(default_factory=Consulted)


@dataclass
class _Nesting:
    """The depth of types with all aliases expanded. Keeps those of aliases, which can double with each level."""

    _of_aliases: dict[TypeAliasType, int] = field(default_factory=dict)

    def of(self, typ: Type) -> int:
        if not isinstance(typ, TypeAliasType):
            return 1 + max((self.of(part) for part in parts_of(get_proper_type(typ))), default=0)
        if typ not in self._of_aliases:
            self._of_aliases[typ] = 0  # in case it contains itself
            self._of_aliases[typ] = self.of(expand_alias_once(typ))
        return self._of_aliases[typ]


@dataclass
class ClassWalk:
    """A walk from one judged type to all classes below it."""

    settings: Settings
    at_declaration: bool = False
    current: Visit = field(default_factory=Visit)
    visits: dict[Instance, Visit] = field(default_factory=dict)  # of classes that had no verdict yet
    _to_visit: list[Instance] = field(default_factory=list)
    _type: Instance | None = None  # the class being visited
    _grown: Counter[TypeInfo] = field(default_factory=Counter)
    _nesting: _Nesting = field(default_factory=_Nesting)

    def hold(self, typ: Instance, path: Path) -> HeldClass:
        """Notes that the visited type holds a class, which is visited later if it has no verdict."""
        if typ not in self.visits and typ not in _verdicts():
            self.visits[typ] = visit = Visit(self._type, self._growth(typ))
            self._to_visit.append(typ)
            self._grown[typ.type] += visit.growth > 0
        return HeldClass(path, typ)

    def ends_here(self) -> bool:
        """Whether to leave out the fields of a generic class that came back too often."""
        if self._type is None or self.current.growth == 0:
            return False
        return self.current.growth > _MAX_GROWTH or self._grown[self._type.type] > _MAX_FORMS

    def _growth(self, typ: Instance) -> int:
        holder = self._type if typ.args else None
        while holder is not None:
            visit = self.visits[holder]
            if holder.type is typ.type:
                return visit.growth + (self._nesting.of(typ) > self._nesting.of(holder))
            holder = visit.holder
        return 0

    def verdict(self, items: Iterator[Item], judge: Callable[[Instance], Iterator[Item]]) -> Verdict:
        """All faults of the judged type.

        `items`: the faults and held classes of the type itself. `judge`: finds those of one class.
        """
        whole = self.current
        whole.items.extend(items)
        self.at_declaration = False
        for typ in self._to_visit:  # grows during the loop
            self._type, self.current = typ, self.visits[typ]
            self.current.items.extend(judge(typ))
        self._remember()
        faults = [fault for item in whole.items for fault in _faults(item)]
        _link_consulted(whole)
        return Verdict(tuple(sorted(faults, key=_depth)), whole.consulted)

    def _remember(self) -> None:
        for typ, faults in _outermost_faults(self.visits).items():
            consulted = self.visits[typ].consulted
            _verdicts()[typ] = Verdict(tuple(faults.values()), consulted)
            depend_on(node.fullname for node in (typ.type, *consulted.nodes))
        for visit in self.visits.values():
            _link_consulted(visit)


def _link_consulted(visit: Visit) -> None:
    parts = (item.type for item in visit.items if isinstance(item, HeldClass))
    visit.consulted.below.extend(_verdicts()[typ].consulted for typ in parts)


def _faults(item: Item) -> Iterator[Fault]:
    if isinstance(item, Fault):
        yield item
    else:
        yield from item.passed_on(_verdicts()[item.type].faults)


def _depth(fault: Fault) -> int:
    return len(fault.path)


_FaultKey = tuple[Reason, str]


def _key(fault: Fault) -> _FaultKey:
    return fault.reason, f"{fault.subject}.{fault.detail}" if fault.reason in REPORTED_EACH else ""


def _outermost_faults(visits: Mapping[Instance, Visit]) -> dict[Instance, dict[_FaultKey, Fault]]:
    """For each class, the outermost fault of each reason: only those are reported, and all faults could be very many.

    Settles the nearest faults first, then passes them on to the holders, as Dijkstra's algorithm does.
    """
    found: dict[Instance, dict[_FaultKey, Fault]] = {typ: {} for typ in visits}
    holders: dict[Instance, list[tuple[int, HeldClass, Instance]]] = {}
    pending: list[tuple[int, int, int, Instance, Fault]] = []
    number = count()

    def add(place: int, typ: Instance, fault: Fault) -> None:
        heappush(pending, (_depth(fault), place, next(number), typ, fault))

    for typ, visit in visits.items():
        for place, item in enumerate(visit.items):
            if isinstance(item, HeldClass) and item.type in visits:
                holders.setdefault(item.type, []).append((place, item, typ))
            else:
                for fault in _faults(item):
                    add(place, typ, fault)
    while pending:
        *_, typ, fault = heappop(pending)
        if found[typ].setdefault(_key(fault), fault) is fault:
            for place, item, holder in holders.get(typ, ()):
                for passed_on in item.passed_on([fault]):
                    add(place, holder, passed_on)
    return found


def reporting_arrays(instead: tuple[Fault, ...], items: Iterator[Item]) -> Iterator[Item]:
    """Replaces faults that say that a field holds arrays."""
    for item in items:
        if isinstance(item, HeldClass):
            yield item._replace(arrays=instead)
        elif item.reason in HOLDS_ARRAYS:
            yield from instead
        else:
            yield item


def parts_of_identity(items: Iterator[Item]) -> Iterator[Item]:
    """What is wrong with the parts of an object that is hashed and compared by identity."""
    for item in items:
        yield item._replace(is_in_identity=True) if isinstance(item, HeldClass) else item.in_identity()


def without_secondary(faults: tuple[Fault, ...], *, is_argument: bool) -> Iterator[Fault]:
    """Leaves out other faults of a pytree that holds arrays: passing it as a dynamic argument settles them, too."""
    trees = [fault.path for fault in faults if fault.reason is Reason.PYTREE_DATA]
    for fault in faults:
        is_of_argument = is_argument and not fault.path and fault.reason is Reason.CLASS_NOT_COMPARED
        in_tree = any(fault.path[: len(path)] == path for path in trees) and fault.reason is not Reason.PYTREE_DATA
        if not is_of_argument and not in_tree:
            yield fault
