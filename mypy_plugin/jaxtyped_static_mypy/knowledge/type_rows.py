"""What a row of a table of types says: one row for each type, with its behaviour as a key and under a trace."""

from collections.abc import Mapping
from enum import Enum, Flag, auto
from typing import Final, NamedTuple


class AsKey(Enum):
    """How values of a type behave in a static position, as part of the key of a compiled program."""

    STATIC = auto()  # immutable, hashed and compared by value
    CONTAINER = auto()  # the same, provided that its type arguments are
    MUTABLE = auto()
    ARRAY = auto()
    HOST_ARRAY = auto()  # NumPy's: no tracer is ever in one
    ABSTRACT = auto()  # says nothing of the value that will be passed


class InTrace(Enum):
    """What `jit` makes of values of a type in a dynamic position.

    Measured: only the registered class itself is taken apart, not those derived from it; a number of NumPy is a leaf,
    its text and dates are not.
    """

    LEAF = auto()
    TREE = auto()  # its elements are traced: those of the last type argument
    NEVER = auto()  # every call raises. No subclass is likely to be registered; one that is seen to be is traced
    UNKNOWN = auto()  # a program may have registered the class, or it stands for objects that are pytrees


class Trait(Flag):
    """What else the analysis of function bodies asks about a type."""

    NONE = 0
    NUMBER = auto()  # one of Python's numbers
    PLAIN = auto()  # holds no other object; no tracer is an instance of it
    CONCRETE = auto()  # what is declared to return it returns no tracer
    SEQUENCE = auto()  # a list or tuple of its first type argument
    MAPPING = auto()  # a dict from its first type argument to its second
    HOLDS = auto()  # holds objects of its type arguments
    LOOKED_UP = auto()  # its methods `get`, `pop` and the like return what it holds
    CHANGED = auto()  # a container that its methods change in place
    FUNCTION = auto()  # a callable hashed by identity
    COMPILED = auto()  # the callable that `jit` returns
    OPAQUE = auto()  # a callable whose type does not show the parameters of the function below it


class KnownType(NamedTuple):
    """One row; a column is None where nothing is known, or where the row of a base class says it."""

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
    """Of which only the behaviour under a trace is known."""
    return KnownType(None, trace)
