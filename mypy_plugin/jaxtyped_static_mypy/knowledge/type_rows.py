"""The columns of the tables of types: how a type behaves as a key, under a trace and in function bodies."""

from collections.abc import Mapping
from enum import Enum, Flag, auto
from typing import Final, NamedTuple


class AsKey(Enum):
    """How values of a type behave in a static position, as part of a compilation key."""

    STATIC = auto()  # immutable, hashed and compared by value
    CONTAINER = auto()  # static if its type arguments are
    MUTABLE = auto()
    ARRAY = auto()
    HOST_ARRAY = auto()  # NumPy's: no tracer is ever in one
    ABSTRACT = auto()  # does not determine the class of the value


class InTrace(Enum):
    """What `jit` makes of values of a type in a dynamic position, as measured with JAX 0.10.2.

    JAX flattens instances of a registered class, and not of its subclasses: a `defaultdict`, but no `Counter`. NumPy's
    numbers are leaves; its strings and dates are not.
    """

    LEAF = auto()
    TREE = auto()  # its elements are traced: those of the last type argument
    NEVER = auto()  # every call raises, unless a subclass is seen to be registered
    UNKNOWN = auto()  # a program may have registered the class, or a value may be of a pytree class


class Trait(Flag):
    """What else the analysis of function bodies needs to know."""

    NONE = 0
    NUMBER = auto()  # one of Python's numbers
    PLAIN = auto()  # holds no other object; no tracer is an instance
    CONCRETE = auto()  # a function that is declared to return it returns no tracer
    SEQUENCE = auto()  # a list or tuple of its first type argument
    MAPPING = auto()  # a dict from its first type argument to its second
    HOLDS = auto()  # holds instances of its type arguments
    LOOKED_UP = auto()  # `get`, `pop` and the like return what it holds
    CHANGED = auto()  # a container with methods that change it in place
    FUNCTION = auto()  # a callable hashed by identity
    COMPILED = auto()  # the callable that `jit` returns
    FILTERED = auto()  # the callable that `filter_jit` returns
    ITERATOR = auto()  # a new one for each use, which uses it up
    CELL = auto()  # an object that holds an array, which can be replaced
    OPAQUE = auto()  # a wrapper whose type does not show the parameters of the function


class KnownType(NamedTuple):
    """One row; a column is None where nothing is known, or the row of a base class says it."""

    key: AsKey | None = None
    trace: InTrace | None = None
    traits: Trait = Trait.NONE
    instead: str = ""  # what to write in place of a mutable type


TypeTable = Mapping[str, KnownType]  # by full name

LEAF: Final = InTrace.LEAF
TREE: Final = InTrace.TREE
NEVER: Final = InTrace.NEVER
UNKNOWN: Final = InTrace.UNKNOWN


# One constructor for each behaviour as a key


def static(trace: InTrace | None = None, traits: Trait = Trait.NONE) -> KnownType:
    return KnownType(AsKey.STATIC, trace, traits)


def container(trace: InTrace | None = None, traits: Trait = Trait.NONE) -> KnownType:
    return KnownType(AsKey.CONTAINER, trace, traits)


def mutable(instead: str, trace: InTrace | None = None, traits: Trait = Trait.NONE) -> KnownType:
    return KnownType(AsKey.MUTABLE, trace, traits, instead)


def array(trace: InTrace | None = None) -> KnownType:
    return KnownType(AsKey.ARRAY, trace)


def abstract(trace: InTrace | None = None, traits: Trait = Trait.NONE) -> KnownType:
    return KnownType(AsKey.ABSTRACT, trace, traits)


def unjudged(trace: InTrace) -> KnownType:
    """A type of which only the behaviour under a trace is known."""
    return KnownType(None, trace)


# What to write in place of a mutable type, whose row names the form

# By form and number of type arguments; a form with any other number of them is written bare.
WITH_ARGUMENTS: Final[Mapping[tuple[str, int], str]] = {
    ("tuple", 1): "tuple[{}, ...]",
    ("frozenset", 1): "frozenset[{}]",
    ("immutabledict", 1): "immutabledict[{}, int]",  # of a `Counter`
    ("immutabledict", 2): "immutabledict[{}, {}]",
}
# Of types that can be static once they are rewritten, by the name that an annotation has for them.
FORMS_BY_NAME: Final[Mapping[str, str]] = {"list": "tuple", "List": "tuple", "set": "frozenset", "Set": "frozenset"}
