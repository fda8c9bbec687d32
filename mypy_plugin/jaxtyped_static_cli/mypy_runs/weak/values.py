"""What an expression stands for, as far as weak types go: a number or array, a tree of these, or a function.

What nobody sees is `UNKNOWN`, and whatever is computed from it, unless its type does not depend on that.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from .effort import EFFORT, MOST_ITEMS

if TYPE_CHECKING:
    from .classes import Class
    from .scopes import Scope

_MAX_DEPTH: Final = 12  # of a tree


class Kind(IntEnum):
    """Of a dtype, in the order of promotion."""

    BOOL = 0
    INTEGER = 1
    FLOAT = 2


class Made(NamedTuple):
    """The line on which something is made."""

    module: str
    line: int


class Leaf(NamedTuple):
    """A number or an array."""

    is_weak: bool
    kind: Kind | None = None  # None if nobody sees it
    made: Made | None = None  # of one with a weak type
    is_array: bool = True  # else a number of Python
    is_certain: bool = True  # else an annotation says so, and nothing more
    constant: int | None = None  # of a number that is written out


class Text(NamedTuple):
    text: str


class Library(NamedTuple):
    """A module of a library, or what it defines, by its full name."""

    name: str


class Tuple(NamedTuple):
    items: "tuple[Value, ...]"


class ClassValue(NamedTuple):
    """A class of the program."""

    cls: "Class"


class Reference(NamedTuple):
    """`x.at[i]`, whose methods return a changed copy of the array."""

    array: Leaf


class Special(NamedTuple):
    name: str


UNKNOWN: Final = Special("unknown")
NONE: Final = Special("None")
A_DTYPE: Final = Special("dtype")  # one that nobody sees
SHAPE: Final = Special("shape")  # of an array: its items are numbers of Python


@dataclass(eq=False)
class Dict:
    items: "dict[str, Value]"


@dataclass(eq=False)
class Object:
    """An object of a class of the program. `fields`: what is known of its attributes."""

    cls: "Class"
    fields: "dict[str, Value]" = field(default_factory=dict)


class ModuleValue(NamedTuple):
    """A module of the program."""

    name: str


@dataclass(eq=False)
class Function:
    """A function of the program, with what it captures."""

    node: ast.FunctionDef | ast.Lambda
    module: str
    scope: "Scope"
    cls: "Class | None" = None  # whose method it is


@dataclass(eq=False)
class Partial:
    """A callable with some arguments: also a bound method."""

    function: "Value"
    args: "tuple[Value, ...]" = ()
    keywords: "Mapping[str, Value]" = field(default_factory=dict)
    is_method: bool = False


@dataclass(eq=False)
class Compiled:
    """What JAX compiles."""

    function: "Value"
    static_numbers: frozenset[int] = frozenset()
    static_names: frozenset[str] = frozenset()
    filters: bool = False  # numbers of Python are static


@dataclass(eq=False)
class Gradient:
    """A function that differentiates another one."""

    function: "Value"
    is_of_first: bool  # of its parameters, and of no other
    has_value: bool
    has_aux: bool


_Data = Leaf | Text | Tuple | Special | Dict | Object | Reference
_Code = Library | ModuleValue | ClassValue | Function | Partial | Compiled | Gradient
Value = _Data | _Code

STRONG: Final = Leaf(is_weak=False)
STRONG_FLOAT: Final = Leaf(is_weak=False, kind=Kind.FLOAT)


def number(kind: Kind, made: Made | None = None, constant: int | None = None) -> Leaf:
    """A number of Python; `True` is no weak type to JAX."""
    return Leaf(is_weak=kind is not Kind.BOOL, kind=kind, made=made, is_array=False, constant=constant)


def array_of(number: Leaf) -> Leaf:
    """What JAX makes of a number."""
    return number._replace(is_array=True, constant=None)


def as_array(value: Value) -> Value:
    return array_of(value) if isinstance(value, Leaf) else value


def promoted(parts: Iterable[Value]) -> Value:
    """What an operation makes of its operands: a weak type gives way to a type of the same kind or a higher one."""
    operands = list(parts)
    known = [part for part in operands if isinstance(part, Leaf)]
    if any(not part.is_weak and part.kind is Kind.FLOAT for part in known):
        return STRONG_FLOAT
    if not known or len(known) < len(operands):
        return UNKNOWN
    found = known[0]
    for part in known[1:]:
        joined = _promoted(found, part)
        if joined is None:
            return UNKNOWN
        found = joined
    return found


def _promoted(one: Leaf, other: Leaf) -> Leaf | None:
    is_array, is_certain = one.is_array or other.is_array, one.is_certain and other.is_certain
    if one.is_weak == other.is_weak:
        kind = None if one.kind is None or other.kind is None else max(one.kind, other.kind)
        return Leaf(one.is_weak, kind, one.made or other.made, is_array=is_array, is_certain=is_certain)
    weak, strong = (one, other) if one.is_weak else (other, one)
    if weak.kind is None or (strong.kind is None and weak.kind is Kind.FLOAT):
        return None
    if strong.kind is not None and weak.kind > strong.kind:
        return weak._replace(is_array=is_array, is_certain=is_certain, constant=None)
    return strong


def tuple_of(items: Iterable[Value]) -> Value:
    """One that code joins of others, which nobody follows if it gets too long."""
    found = tuple(items)
    return Tuple(found) if len(found) <= MOST_ITEMS else UNKNOWN


def joined(one: Value, other: Value, depth: int = _MAX_DEPTH) -> Value:
    """What is either of two values: `UNKNOWN` where they differ."""
    EFFORT.spend()
    if one is other or not depth:
        return one if one is other else UNKNOWN
    match one, other:
        case Leaf(), Leaf() if one.is_weak == other.is_weak:
            kind = one.kind if one.kind == other.kind else None
            is_array, is_certain = one.is_array or other.is_array, one.is_certain and other.is_certain
            return Leaf(one.is_weak, kind, one.made or other.made, is_array=is_array, is_certain=is_certain)
        case Tuple(), Tuple() if len(one.items) == len(other.items):
            return Tuple(tuple(joined(*pair, depth - 1) for pair in zip(one.items, other.items, strict=True)))
        case Object(), Object() if one.cls is other.cls:
            names = one.fields.keys() & other.fields.keys()
            return Object(one.cls, {name: joined(one.fields[name], other.fields[name], depth - 1) for name in names})
        case Dict(), Dict() if one.items.keys() == other.items.keys():
            return Dict({key: joined(value, other.items[key], depth - 1) for key, value in one.items.items()})
        case ((Text() | Library() | ModuleValue()), _) if one == other:
            return one
    return UNKNOWN


def strengthened(first: Value, later: Value, depth: int = _MAX_DEPTH) -> Value:
    """What a loop of JAX carries: what begins with a weak type has the strong one that the body returns."""
    EFFORT.spend()
    if not depth:
        return UNKNOWN
    match first, later:
        case Leaf(), Leaf():
            if first.is_weak == later.is_weak:
                return first
            weak, strong = (first, later) if first.is_weak else (later, first)
            return strong if strong.kind is not None or weak.kind is Kind.INTEGER else UNKNOWN
        case Tuple(), Tuple() if len(first.items) == len(later.items):
            return Tuple(tuple(strengthened(*pair, depth - 1) for pair in zip(first.items, later.items, strict=True)))
        case Object(), Object() if first.cls is later.cls:
            names = first.fields.keys() & later.fields.keys()
            fields = {name: strengthened(first.fields[name], later.fields[name], depth - 1) for name in names}
            return Object(first.cls, fields)
        case Dict(), Dict() if first.items.keys() == later.items.keys():
            found = {key: strengthened(value, later.items[key], depth - 1) for key, value in first.items.items()}
            return Dict(found)
    return first if first is later else UNKNOWN


def mapped(trees: list[Value], make: Callable[[list[Value]], Value], depth: int = _MAX_DEPTH) -> Value:
    """A tree of what a function makes of the leaves of others at each place."""
    EFFORT.spend()
    first = trees[0]
    if not depth:
        return UNKNOWN
    if isinstance(first, Leaf):
        return make(trees)
    if isinstance(first, Tuple):
        rows = [tree.items if isinstance(tree, Tuple) else (UNKNOWN,) * len(first.items) for tree in trees]
        return Tuple(tuple(mapped(list(row), make, depth - 1) for row in zip(*rows, strict=False)))
    if isinstance(first, Dict):
        columns = [tree.items if isinstance(tree, Dict) else {} for tree in trees]
        return Dict({key: mapped([of.get(key, UNKNOWN) for of in columns], make, depth - 1) for key in first.items})
    if isinstance(first, Object) and first.cls.is_tree:
        of = [tree.fields if isinstance(tree, Object) and tree.cls is first.cls else {} for tree in trees]
        names = [name for name in first.fields if name in first.cls.leaf_fields]
        made = {name: mapped([fields.get(name, UNKNOWN) for fields in of], make, depth - 1) for name in names}
        return Object(first.cls, {**first.fields, **made})
    return NONE if first is NONE else UNKNOWN


def leaves(value: Value, path: str = "", depth: int = _MAX_DEPTH) -> Iterator[tuple[str, Leaf]]:
    """The numbers and arrays of a tree that are known, with where they are in it."""
    EFFORT.spend()
    if not depth:
        return
    if isinstance(value, Leaf):
        yield path, value
    elif isinstance(value, Tuple):
        for index, item in enumerate(value.items):
            yield from leaves(item, f"{path}[{index}]", depth - 1)
    elif isinstance(value, Dict):
        for key, item in value.items.items():
            yield from leaves(item, f"{path}['{key}']", depth - 1)
    elif isinstance(value, Object) and value.cls.is_tree:
        for name in value.cls.leaf_fields:
            if name in value.fields:
                yield from leaves(value.fields[name], f"{path}.{name}", depth - 1)
