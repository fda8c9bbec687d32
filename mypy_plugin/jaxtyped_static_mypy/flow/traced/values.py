"""What is known of a value inside a traced function. `None` means nothing is known: it may be concrete.

Every other value says what holds on every path to it: a doubt makes it `None`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from enum import Enum, auto
from functools import reduce
from typing import Final

from mypy.types import Instance, Type

MAX_PARTS: Final = 500  # of a value that a variable holds: `x = (x, x)` doubles it each time


@dataclass(frozen=True)
class Source:
    """The origin of a traced value, for messages."""

    text: str  # 'the dynamic parameter "x" of "step"'
    parameter: str | None = None  # of a jitted function, which could be declared static
    # No type is declared, so the value may be a pytree, and one without any traced leaf.
    may_be_tree: bool = False
    has_value: bool = False  # a tracer of `grad` outside of any program: conditions and conversions work (JAX 0.10.2)
    arrays_only: bool = False  # numbers that come with it are concrete, as under `eqx.filter_jit`
    may_be_number: bool = False  # one of these, as nothing shows that it is passed an array
    is_array: bool = False  # by its declared type: it could not be static
    field: str | None = None  # the data field of a pytree that it came from: '"mul" of "Model"'
    declared: Type | None = dataclass_field(default=None, compare=False)  # of the parameter or the field


@dataclass(frozen=True)
class Traced:
    """A tracer, or an otherwise unknown pytree of tracers."""

    source: Source
    is_mask: bool = False  # a boolean array


@dataclass(frozen=True)
class OrNone:
    """This value, or `None`, until a condition tells."""

    value: "Value"


class Doubt(Enum):
    """Why the value of a variable is unknown behind a condition."""

    ASKED = auto()  # it may tell a tracer from a concrete value
    NO_TRACER = auto()  # a tracer goes the other way
    NONE = auto()  # it is `None` here


@dataclass(frozen=True)
class Doubted:
    """What a variable had before a condition; unknown until control rejoins. Only variables have such a value."""

    value: "Value"
    why: Doubt


@dataclass(frozen=True)
class Items:
    """A tuple or list of known length; the names are those of a named tuple."""

    values: tuple["Value", ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Each:
    """A list or tuple of any length."""

    element: "Value"


@dataclass(frozen=True)
class Entries:
    """A dict: the values of known keys, and of all others."""

    values: tuple[tuple[str, "Value"], ...] = ()
    other: "Value" = None
    is_closed: bool = False  # it has no others but those that `other` stands for


@dataclass(frozen=True)
class Holds:
    """A container with a tracer somewhere in it."""

    source: Source


@dataclass(frozen=True)
class Cell:
    """A variable that holds a tracer: `variable[...]` and `variable.value`."""

    source: Source


@dataclass(frozen=True)
class Tree:
    """A pytree object that is an argument of the trace: its data fields are traced."""

    type: Instance
    source: Source
    replaced: frozenset[str] = frozenset()  # fields that a copy got new values for
    how: str = ""  # it came to be traced, for messages about its fields
    given: tuple[tuple[str, "Value"], ...] | None = None  # a new object: what its attributes hold, as far as it is seen


Value = Traced | OrNone | Doubted | Items | Each | Entries | Holds | Cell | Tree | None
CONTAINERS: Final = (Items, Each, Entries, Holds)

_MAX_ITEMS: Final = 64
_MAX_NESTING: Final = 4


def sequence(values: Sequence[Value]) -> Value:
    """A tuple or list of these values; one that grows too large (`t = t + t`) is reduced to what it holds."""
    whole = Items(tuple(values))
    if len(values) <= _MAX_ITEMS and not any(_is_nested(value, _MAX_NESTING) for value in values):
        return whole
    return held(whole)


def _is_nested(value: Value, depth: int) -> bool:
    return depth == 0 or any(_is_nested(part, depth - 1) for part in _parts(value))


def origin(value: Value) -> Source | None:
    """The source of the tracer that a value is or holds, at any depth.

    A pytree object, or a value that may be `None`, does not count as holding one.
    """
    if isinstance(value, (Traced, Holds)):
        return value.source
    return first_origin(_parts(value))


def first_origin(values: Iterable[Value]) -> Source | None:
    """The source of the first of these values that is or holds a tracer."""
    for value in values:
        if value is not None and (found := origin(value)) is not None:
            return found
    return None


def _parts(value: Value) -> tuple[Value, ...]:
    if isinstance(value, Items):
        return value.values
    if isinstance(value, Each):
        return (value.element,)
    return (*(part for _, part in value.values), value.other) if isinstance(value, Entries) else ()


def limited(value: Value) -> Value:
    """Returns the value; reduces a very large one to the fact that it holds a tracer."""
    pending, count = [value], 0
    while pending and count <= MAX_PARTS:
        pending.extend(_parts(present(pending.pop())))
        count += 1
    return held(value) if pending else value


def held(value: Value) -> Value:
    """Reduces a container to the fact that it holds a tracer."""
    source = origin(value)
    return Holds(source) if source is not None else None


def join(a: Value, b: Value) -> Value:
    """Joins two values: what holds of both."""
    if a == b:
        return a
    if a is None or b is None:
        return None
    if isinstance(a, Doubted) or isinstance(b, Doubted):
        return _join_doubted(a, b)
    if isinstance(a, OrNone) or isinstance(b, OrNone):
        return or_none(join(present(a), present(b)))
    if isinstance(a, Items) and isinstance(b, Items) and len(a.values) == len(b.values) and a.names == b.names:
        return Items(tuple(map(join, a.values, b.values)), a.names)
    if isinstance(a, Entries) and isinstance(b, Entries):
        return _join_entries(a, b)
    if isinstance(a, (Items, Each)) and isinstance(b, (Items, Each)) and (whole := joined_lists(a, b)) is not None:
        return whole
    first, second = origin(a), origin(b)
    if first is None or second is None:
        return None
    if not isinstance(a, Traced) or not isinstance(b, Traced):
        return Holds(first)
    may_be_tree = a.source.may_be_tree or b.source.may_be_tree
    return Traced(replace(first, may_be_tree=may_be_tree), a.is_mask and b.is_mask)


def joined_lists(a: Items | Each, b: Items | Each) -> Value:
    """Joins lists of different lengths: what all of their items are. An empty one says nothing of items."""
    if isinstance(a, Each) and isinstance(b, Each):
        return Each(join(a.element, b.element))
    elements = [element(part) for part in (a, b) if part != Items(())]
    whole = joined(tuple(elements))
    return Each(whole) if whole is not None else None


def _join_entries(a: Entries, b: Entries) -> Value:
    """Joins dicts. A key that one of them does not have says nothing: to read it raises there."""
    values = dict((*a.values, *b.values))
    for key in values:
        values[key] = joined(tuple(_entry(part, key) for part in (a, b) if not _lacks(part, key)))
    others = [part.other for part in (a, b) if not (part.is_closed and part.other is None)]
    return Entries(tuple(values.items()), joined(tuple(others)), a.is_closed and b.is_closed)


def _entry(entries: Entries, key: str) -> "Value":
    return dict(entries.values).get(key, entries.other)


def _lacks(entries: Entries, key: str) -> bool:
    return entries.is_closed and entries.other is None and key not in dict(entries.values)


def _join_doubted(a: Value, b: Value) -> Value:
    """Joins values of which at least one is doubted: what a tracer has that never gets there does not count."""
    doubts = [value.why for value in (a, b) if isinstance(value, Doubted)]
    if isinstance(a, Doubted) and a.why is Doubt.NO_TRACER:
        return b
    if isinstance(b, Doubted) and b.why is Doubt.NO_TRACER:
        return a
    value = join(*(part.value if isinstance(part, Doubted) else part for part in (a, b)))
    return Doubted(value, Doubt.ASKED) if value is not None and Doubt.ASKED in doubts else value


def or_none(value: Value) -> Value:
    """The value, or `None`; unknown if the value is."""
    return value if value is None or isinstance(value, OrNone) else OrNone(value)


def present(value: Value) -> Value:
    """Returns the value, now known not to be `None`."""
    return value.value if isinstance(value, OrNone) else value


def computed(source: Source) -> Source:
    """The source of what JAX computes in a program: traced, even if the parameter it comes from becomes static."""
    return replace(source, parameter=None, declared=None, may_be_tree=False)


def as_refs(value: Value) -> Value:
    """What a kernel gets where an array is declared, or nothing: a mutable array, which holds it."""
    if isinstance(value, Items):
        return replace(value, values=tuple(map(as_refs, value.values)))
    if isinstance(value, Each):
        return Each(as_refs(value.element))
    if isinstance(value, OrNone):
        return or_none(as_refs(value.value))
    is_ref = isinstance(value, Traced) and (value.source.is_array or value.source.may_be_tree)
    return Cell(replace(value.source, may_be_tree=False)) if isinstance(value, Traced) and is_ref else value


def as_argument(value: Value, text: str) -> Value:
    """What a traced caller passes: whether a parameter of its own could be static says nothing of other callers."""
    if not isinstance(value, Traced):
        return value
    return replace(value, source=replace(value.source, text=text, parameter=None, declared=None))


def combined(sources: Sequence[Source]) -> Source:
    """The source of what several tracers make: it stays one if only one of their parameters becomes static."""
    first = sources[0]
    return first if all(_place(source) == _place(first) for source in sources) else computed(first)


def _place(source: Source) -> tuple[str | None, str | None]:
    return source.parameter, source.field


def array_from(source: Source, *, is_mask: bool = False) -> Traced:
    """The result of arithmetic, array methods or JAX functions on a traced value."""
    return Traced(replace(source, may_be_tree=False), is_mask)


def as_mask(value: Value) -> Value:
    """The value, now known to be boolean if it is an array."""
    return replace(value, is_mask=True) if isinstance(value, Traced) else value


def without_value(value: Value) -> Source | None:
    """The source of a value that is unknown while tracing; None if the value may be known."""
    value = present(value)
    return value.source if isinstance(value, Traced) and not value.source.has_value else None


def known_without_derivative(value: Value) -> Value:
    """A result that has no derivative, or of which that is not known: of a tracer with a value, it may be an array."""
    return None if isinstance(value, Traced) and value.source.has_value else value


def source_asked(value: Value, *, is_any_tracer_refused: bool) -> Source | None:
    """The source of a value that a use needs, and does not get; None if it may get it.

    `is_any_tracer_refused`: even of one with a value. Below `eqx.filter_grad`, a number may be none.
    """
    if (source := without_value(value)) is not None or not is_any_tracer_refused:
        return source
    value = present(value)
    return value.source if isinstance(value, Traced) and not value.source.arrays_only else None


def element(value: Value) -> Value:
    """The value that iterating yields; the keys of a dict are concrete."""
    if isinstance(value, Traced):
        return None if value.source.may_be_tree else value
    if isinstance(value, Each):
        return value.element
    return joined(value.values) if isinstance(value, Items) else None


def joined(values: tuple[Value, ...]) -> Value:
    """Joins all of these values; nothing is known of none."""
    return reduce(join, values) if values else None
