"""What is known of a value inside a traced function. `None` means nothing is known: it may be concrete.

Every other value says what holds on every path to it: a doubt makes it `None`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from enum import Enum, auto
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
