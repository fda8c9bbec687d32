"""What a row of a table of functions says: one row for each function, whatever asks about it."""

from collections.abc import Mapping
from enum import Enum, Flag, auto
from typing import Final, NamedTuple


class JitFunction(NamedTuple):
    """A function that compiles another: the options that list parameters, and what its result becomes."""

    names_option: str | None = None
    nums_option: str | None = None
    donated_names_option: str | None = None
    donated_nums_option: str | None = None
    reads_markers: bool = False
    keeps_signature: bool = False  # the result is a jitted callable with `.lower` and the like
    ignored_option: str | None = None  # accepted by the type, and without effect
    traces_all: bool = False  # every value that is not static has to be an array, a number, or a pytree of these
    is_key: bool = True  # static values are hashed and compared; `nondiff_argnums` are only kept from the trace
    compiles: bool = True  # and keeps what it compiled for the next call
    filters: bool = False  # traces the arrays in its arguments, and keeps all else static; a bound method is a pytree
    lifts_object: bool = False  # takes the object of a bound method as an argument

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(option for option in self[:4] if isinstance(option, str))

    @property
    def names_options(self) -> tuple[str | None, ...]:
        """The options that list parameters by name."""
        return self.names_option, self.donated_names_option

    @property
    def may_donate(self) -> bool:
        """Whether it compiles as `jax.jit` does, lists and all."""
        return self.donated_nums_option is not None


class Receives(Enum):
    """Which parameters of a callback are given tracers."""

    ALL = auto()
    FIRST = auto()
    FIRST_TWO = auto()
    SCANNED = auto()  # as `scan` does: the second unless `xs` is None
    ARGNUMS = auto()  # those of `argnums`
    IN_AXES = auto()  # those with an axis
    NOT_STATIC = auto()  # not listed as static
    NOT_BROADCAST = auto()  # with an axis, and not in `static_broadcasted_argnums`


class Calls(NamedTuple):
    """How a function calls another with tracers."""

    callbacks: tuple[tuple[int, str], ...]  # index and name of the parameters that take the other
    receives: Receives
    stages: bool = True  # the body becomes a program: what jax computes there is traced, even from concrete values
    keeps_values: bool = False  # its tracers have values, unless those that they stand for have none


class Result(Enum):
    """What a call returns, as far as tracers go."""

    CONCRETE = auto()  # whatever it is given
    TRACED = auto()  # a tracer for a tracer
    SAME_ITEMS = auto()  # the items of its argument
    ITEMS_REORDERED = auto()
    ITEMS_NUMBERED = auto()
    ITEMS_ZIPPED = auto()
    ITEMS_SUMMED = auto()


class Asks(Enum):
    """How a call asks for the value of what it is given, which a tracer does not have."""

    NUMBER = auto()  # of its one argument
    LENGTH = auto()  # a number, of any argument
    FLOAT = auto()  # a float, of any argument
    TRUTH = auto()  # of each item, or argument
    ORDER = auto()  # of two or more items, or arguments
    HOST_ARRAY = auto()  # a NumPy array, of any argument


class New(Enum):
    """What a call returns that is another object each time."""

    FUNCTION = auto()
    PARTIAL = auto()
    TREE_PARTIAL = auto()  # a partial that is a pytree
    OPTIMISER = auto()  # a tuple of functions


class Role(Flag):
    """What else is known of a function."""

    NONE = 0
    WRAPS = auto()  # its result is made of its first argument, and compiles nothing
    PASSES_ON = auto()  # its result holds, or is, what it is given
    LOOKS = auto()  # looks at its argument and keeps nothing of it
    COPIES = auto()  # copies an object with some fields changed
    CALLS_HOST = auto()  # runs a function outside of the program
    MAKES_REF = auto()  # makes an array that can be written to
    TRACED_EACH_TIME = auto()  # compiles nothing, so that what it decorates runs, or is traced, with each call
    UNTRACED_BODY = auto()  # a context in which all is concrete
    SAME_FUNCTION = auto()  # a decorator that hands the function on as it is
    SAME_CLASS = auto()  # a decorator that leaves a class as it is


class KnownFunction(NamedTuple):
    """One row; a column is empty where there is nothing to say."""

    compiles: JitFunction | None = None
    calls: Calls | None = None
    shapes: frozenset[str] = frozenset()  # the parameters that have to be concrete
    result: Result | None = None
    asks: Asks | None = None
    new: New | None = None
    roles: Role = Role.NONE


FunctionTable = Mapping[str, KnownFunction]

NOTHING: Final = KnownFunction()  # of a function without a row
NEW_FUNCTION: Final = KnownFunction(new=New.FUNCTION)
SAME_FUNCTION: Final = KnownFunction(roles=Role.SAME_FUNCTION)


def takes_shape(*parameters: str) -> KnownFunction:
    """Whose parameters of these names have to be concrete."""
    return KnownFunction(shapes=frozenset(parameters))
