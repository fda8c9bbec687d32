"""The columns of the tables of functions: one row says all that is known of a function."""

from collections.abc import Mapping
from enum import Enum, Flag, auto
from typing import Final, NamedTuple


class JitFunction(NamedTuple):
    """How a function compiles another: the options that list parameters, and what the result is."""

    names_option: str | None = None
    nums_option: str | None = None
    donated_names_option: str | None = None
    donated_nums_option: str | None = None
    reads_markers: bool = False
    keeps_signature: bool = False  # the result is a jitted callable with `.lower` and the like
    ignored_option: str | None = None  # accepted, without effect
    traces_all: bool = False  # every value that is not static has to be an array, a number, or a pytree of these
    is_key: bool = True  # static values are hashed and compared; `nondiff_argnums` only keeps them out of the trace
    compiles: bool = True  # and caches the result for the next call
    filters: bool = False  # traces only the arrays in its arguments; a bound method is a pytree, too
    lifts_object: bool = False  # passes the object of a bound method as an argument
    maps: bool = False  # over devices, and finds again what it made of a bound method, as long as its object lives

    @property
    def finds_equal(self) -> bool:
        """Whether a new function that equals an earlier one compiles nothing, such as a method of the same object."""
        return self.maps or self.filters

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
    SCANNED = auto()  # the first, and the second unless `xs` is None
    ARGNUMS = auto()  # those in `argnums`
    IN_AXES = auto()  # those with an axis
    NOT_STATIC = auto()  # not listed as static
    NOT_BROADCAST = auto()  # with an axis, and not in `static_broadcasted_argnums`


class Calls(NamedTuple):
    """How a function calls another with tracers."""

    callbacks: tuple[tuple[int, str], ...]  # index and name of each parameter that takes the other function
    receives: Receives
    stages: bool = True  # what JAX computes in the body is traced, even from concrete values
    keeps_values: bool = False  # its tracers have concrete values, unless they stand for tracers without
    arrays_only: bool = False  # traces only the arrays in its arguments
    gives_refs: bool = False  # mutable arrays, which the other function reads and writes by their items


class EagerFunction(NamedTuple):
    """What makes a call compile again that stands outside of jit."""

    bodies: tuple[tuple[int, str], ...]  # index and name of each parameter that takes a function, or a list of some
    is_compared: bool = False  # functions are the same if they are equal: a method of one object is equal to itself
    is_always: bool = False  # it compiles on each call, also for the same function
    counts: tuple[tuple[int, str], ...] = ()  # of each parameter that says how many passes the call makes
    items: tuple[tuple[int, str], ...] = ()  # of each that has an item for each pass
    chooses: bool = False  # below `vmap`, with a choice for each item, it runs all branches, and compiles nothing
    makes: bool = False  # it returns a function, new each time, which is what compiles


class Derives(Enum):
    """What a derivative returns, or the function that it makes, without auxiliary data."""

    GRADIENT = auto()  # arrays in the structure of the arguments
    VALUE_AND_GRADIENT = auto()
    JACOBIAN = auto()
    TANGENTS = auto()  # the call itself: the value, and its change
    PULLBACK = auto()  # the call itself: the value, and a function


class SizedBy(NamedTuple):
    """What the length of the result depends on, unless an option fixes it."""

    option: str  # by which a caller fixes the length
    position: int | None = 0  # of the parameter whose values decide; None: the object whose method is called
    name: str = "a"
    alone: bool = False  # only when no other positional argument is given
    option_position: int = -1  # where the option can be given without its name


class Result(Enum):
    """Whether the result of a call is a tracer, or holds some."""

    CONCRETE = auto()  # never, whatever the arguments are
    TRACED = auto()  # if an argument is
    MASK = auto()  # a boolean array, which is a tracer if an argument is
    SAME_ITEMS = auto()  # its items are those of the argument, as in the members below
    ITEMS_REORDERED = auto()
    ITEMS_NUMBERED = auto()
    ITEMS_ZIPPED = auto()
    ITEMS_SUMMED = auto()


class Conversion(Enum):
    """How a call asks an argument for its concrete value, which a tracer does not have."""

    NUMBER = auto()  # converts its one argument to a number
    LENGTH = auto()  # converts every argument to an integer
    INTEGER = auto()  # the same, for no length
    INTEGERS_AFTER = auto()  # converts every argument but the first to an integer
    FLOAT = auto()  # converts every argument to a float
    TRUTH = auto()  # tests the items of its argument
    ORDER = auto()  # compares its arguments, or the items of its only one
    MODULUS = auto()  # takes numbers only, where it gets three
    HASH = auto()
    HASHES = auto()  # the items of its argument
    HOST_ARRAY = auto()  # converts every argument to a NumPy array, but for those that it accepts
    HOST_ONLY = auto()  # the same, and `jax.numpy` has no such function
    HOST_FIRST = auto()  # converts its first argument to a NumPy array
    HOST_CALLED = auto()  # converts what the function that it calls returns
    PYTHON_ONLY = auto()  # takes no argument that is traced, or that holds what is
    PYTHON_ONLY_AFTER = auto()  # the same, but for the first argument
    SEARCH = auto()  # compares its second argument with the items of the first
    NEVER_EQUAL = auto()  # answers that a tracer is not equal


class Applies(Enum):
    """How a function applies another to each item of what it gets."""

    MAPS = auto()
    FILTERS = auto()
    REDUCES = auto()


class Accepted(NamedTuple):
    """An argument that a function of NumPy takes although it is traced."""

    name: str
    position: int | None  # None: by its name alone
    takes_rest: bool  # of the positional arguments
    is_list: bool  # of tracers, or no tracer alone
    hands_over: bool  # calls a method of it, and returns a tracer


class Updates(Enum):
    """Which type an array has after it was updated."""

    TYPED = auto()  # its dtype, and no weak type
    SUMMED = auto()  # that of the sum
    OF_STATE = auto()  # as TYPED: of the parameters that the object of this method has


class New(Enum):
    """What a call returns, where that is a new object each time."""

    FUNCTION = auto()
    PARTIAL = auto()
    TREE_PARTIAL = auto()  # a partial that is a pytree
    OPTIMISER = auto()  # a tuple of functions
    OPTIMISER_FACTORY = auto()  # a function that returns a new optimiser with each call


class Effect(Flag):
    """What else a call does, or leaves alone."""

    NONE = 0
    WRAPS = auto()  # returns a function that calls the first argument
    CALLS_FIRST = auto()  # the first argument, and keeps no reference to it
    PASSES_ON = auto()  # returns an argument, or a container of the arguments
    LOOKS = auto()  # reads the argument and keeps no reference to it
    TELLS_KIND = auto()  # its result may differ between a tracer and a concrete value
    COPIES = auto()  # copies an object with some fields changed
    ONLY_RETURNS = auto()  # returns a changed copy, and does nothing else
    EDITS_TREE = auto()  # of a tree, with the third argument in the place to which the first leads
    MAPS_LEAVES = auto()  # returns what its first argument makes of the leaves of others, and does nothing else
    CALLS_HOST = auto()  # calls a function on the host, with concrete values
    MAKES_REF = auto()  # makes a mutable array
    COUNTS = auto()  # without end
    NEW_OBJECT = auto()  # returns a new object each time, equal only to itself
    NEW_VALUE = auto()  # returns another value each time
    TRACED_EACH_TIME = auto()  # compiles nothing: what it decorates runs, or is traced, with each call
    FILLS_DEFAULTS = auto()  # passes tracers for parameters that the caller leaves out, too
    FILLS_ARGUMENTS = auto()  # a decorator that may pass concrete values for any that the caller leaves out
    UNTRACED_BODY = auto()  # a context manager whose body is concrete
    MAKES_SCALAR = auto()  # returns an array without dimensions
    MAKES_MODULE = auto()  # returns an Equinox module that cannot be hashed
    SAME_FUNCTION = auto()  # a decorator whose result behaves as the function does
    SAME_CLASS = auto()  # a decorator that does not change the class
    STRENGTHENS = auto()  # makes an optimiser whose updates have no weak type, whatever the gradients have
    CHAINS = auto()  # makes one of several optimisers, which it calls one after the other
    UPDATES_OBJECT = auto()  # in place: the first argument, or the object whose method it is
    REFUSES_CAPTURED = auto()  # what it makes of a function raises for objects of another trace
    TAKES_RULES = auto()  # returns a function that is given rules: for its derivative, or for a batch
    VARIES = auto()  # returns a function that gives another number for each that it gets


class KnownFunction(NamedTuple):
    """One row; a column without anything to say is left out."""

    compiles: JitFunction | None = None
    calls: Calls | None = None
    # Index and name of each parameter that takes a function, or a list of some, which what the call makes calls later:
    # with one tracer, where compiled code runs that.
    schedules: tuple[tuple[int, str], ...] = ()
    derives: Derives | None = None
    eager: EagerFunction | None = None  # of libraries; JAX's functions have a table of their own
    shapes: frozenset[str] = frozenset()  # parameters that have to be concrete
    numbers: frozenset[str] = frozenset()  # those that have to be if they get a number, and may be a traced array
    sized_by: SizedBy | None = None
    result: Result | None = None
    converts: Conversion | None = None
    applies: Applies | None = None
    accepts: tuple[Accepted, ...] = ()
    updates: Updates | None = None  # what it adds its second argument to: the arrays in the first one
    new: New | None = None
    retraces: tuple[str, ...] | None = None  # in a compiled program, traces again all parameters but those listed here
    effects: Effect = Effect.NONE


FunctionTable = Mapping[str, KnownFunction]

NO_ROW: Final = KnownFunction()  # of a function without a row
NEW_FUNCTION: Final = KnownFunction(new=New.FUNCTION)
SAME_FUNCTION: Final = KnownFunction(effects=Effect.SAME_FUNCTION)


def takes_shape(*parameters: str) -> KnownFunction:
    """A function whose parameters of these names have to be concrete."""
    return KnownFunction(shapes=frozenset(parameters))


def sized_by(
    option: str, position: int = 0, name: str = "a", *, alone: bool = False, option_position: int = -1
) -> KnownFunction:
    """A function that returns a result whose length depends on values, unless this option fixes it."""
    row = SizedBy(option, position, name, alone, option_position)
    return KnownFunction(shapes=frozenset({option}), sized_by=row)


def accepts(row: KnownFunction, index: int, name: str | None, *, is_list: bool) -> Accepted | None:
    """How a function of NumPy takes a traced argument, or a list of such; None if it raises."""
    for one in row.accepts:
        by_place = one.position == index or (one.takes_rest and index >= (one.position or 0))
        if one.is_list == is_list and (one.name == name if name is not None else by_place):
            return one
    return None


def accepted(text: str) -> tuple[Accepted, ...]:
    """Reads `0.a> 1.*args[]`: a position and a name, `[]` for lists, `>` for what is handed over."""
    return tuple(_accepted(part) for part in text.split())


def _accepted(part: str) -> Accepted:
    position, _, name = part.rpartition(".")
    plain = name.strip("*[]>")
    return Accepted(plain, int(position) if position else None, name[0] == "*", "[]" in name, name[-1] == ">")
