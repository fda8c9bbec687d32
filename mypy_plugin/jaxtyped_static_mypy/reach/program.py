"""What is asked of a program to know how often it runs some code, and what the answers may be."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from ..facts.method_facts import MAKING
from ..knowledge import naming
from ..knowledge.full_names import CACHES

FunctionT = TypeVar("FunctionT", bound=Hashable)
PlaceT = TypeVar("PlaceT")


class Runs(Enum):
    """How often a program runs some code, as far as it shows."""

    AGAIN = auto()  # again and again, or nothing shows that it does not
    ONCE = auto()
    TRACED = auto()  # only in code that JAX compiles as a whole, so once for each compilation
    NEVER = auto()  # nothing in a program that nobody imports calls it
    IN_TESTS = auto()  # only there, where compiling again harms nobody


class Cause(Enum):
    """What makes code run again."""

    LOOP = auto()
    CALLERS = auto()  # two or more, which may be all
    RECURSION = auto()
    HANDED_ON = auto()  # to who knows whom
    RETURNED = auto()  # to those who call the function around it, wherever they are
    REQUESTS = auto()  # to a server, which calls it for each
    LISTED = auto()  # in a dict, from which some code may choose it, perhaps once
    INTERFACE = auto()  # nothing calls it, so that the users of the program do
    SHOWN = auto()  # code that shows how users call it
    TESTED = auto()  # the same, by tests alone
    OFFERED = auto()  # to users of a library, and nothing shows whether they trace it
    RUNS = auto()  # of what runs once in each whole run, or sets something up in each: the program makes several


_OPEN: Final = frozenset(
    {Cause.CALLERS, Cause.INTERFACE, Cause.LISTED, Cause.RETURNED}
)  # unless other modules show a better one
# By how well they show that code runs again.
_SHOWN_BEST: Final = (
    Cause.LOOP,
    Cause.RECURSION,
    Cause.HANDED_ON,
    Cause.RETURNED,
    Cause.INTERFACE,
    Cause.CALLERS,
    Cause.LISTED,
)
_PROPERTY: Final = "property"


class Defined(NamedTuple):
    """What the definition of a function says."""

    name: str
    is_method: bool
    decorators: frozenset[str]  # their full names
    is_overriding: bool = False  # a base of its class has such a method, or may have one
    makes_functions: bool = False  # and returns nothing else
    is_handler: bool = False  # a server calls it for each request

    @property
    def is_beginning(self) -> bool:
        """Whether it makes an object or sets something up: it runs once unless a loop calls it."""
        return self.is_constructor or self.makes_functions or naming.is_set_up(self.name)

    @property
    def is_constructor(self) -> bool:
        return self.is_method and self.name in MAKING

    @property
    def is_whole_run(self) -> bool:
        return not self.is_method and naming.is_whole_run(self.name)

    @property
    def is_for_users(self) -> bool:
        """Whether those who use the program may call it often, if the program does not.

        Not a whole run, nor a private method that is there for those of a base, which may run it in a trace.
        """
        if not self.is_method:
            return not self.is_whole_run
        return not (self.is_overriding and naming.is_private(self.name))

    @property
    def is_property(self) -> bool:
        return any(name.rpartition(".")[2] == _PROPERTY for name in self.decorators)

    @property
    def keeps_eager(self) -> bool:
        """Whether its decorators leave it to the callers whether its code is traced."""
        return all(map(naming.keeps_eager, self.decorators))

    @property
    def is_batched(self) -> bool:
        """Whether a decorator gives it one item of a batch after the other."""
        return any(map(naming.batches, self.decorators))

    @property
    def is_public_method(self) -> bool:
        return self.is_method and not self.name.startswith("_")

    @property
    def runs(self) -> Runs | None:
        """How often it runs by this; None if this does not say it."""
        starts = naming.is_main(self.name) or any(map(naming.starts_program, self.decorators))
        if starts or not self.decorators.isdisjoint(CACHES):
            return Runs.ONCE
        if any(map(naming.compiles, self.decorators)):
            return Runs.TRACED
        return Runs.IN_TESTS if any(map(naming.is_fixture, self.decorators)) else None


class Uses(NamedTuple, Generic[PlaceT]):
    """Where a program calls a function, has it compiled, and hands it on."""

    calls: Sequence[PlaceT] = ()
    handed_on: Sequence[PlaceT] = ()
    compiled: Sequence[PlaceT] = ()  # handed to JAX, which compiles it
    is_open: bool = False  # whether other places may call it, too, that the program does not show
    perhaps: Sequence[PlaceT] = ()  # those that call one of its name, of an object that the program does not show

    @property
    def is_only_called(self) -> bool:
        """Whether the calls are all that happens to it: they show everybody who runs it."""
        return not (self.handed_on or self.compiled or self.is_open or self.perhaps)


class Program(Protocol[FunctionT, PlaceT]):
    """What is asked of a program."""

    def runs_itself(self, place: PlaceT) -> Runs | None:
        """How often code at a place runs whoever calls it; None if that depends on the function around it."""

    def is_handed_to_host(self, place: PlaceT) -> bool:
        """Whether a place hands its function to the host, which calls it on every run of a program: a callback."""

    def function_around(self, place: PlaceT) -> FunctionT | None: ...

    def is_in_set_up(self, place: PlaceT) -> bool:
        """Whether code is a part of what sets something up, by its name, or of a constructor."""

    def is_in_named_set_up(self, place: PlaceT) -> bool:
        """The same without constructors: whoever makes an object may make the next one, too."""

    def ends_with_pass(self, place: PlaceT) -> bool:
        """Whether nothing keeps what a call makes beyond the pass of a loop that makes it."""

    def makes_other_code(self, place: PlaceT) -> bool:
        """Whether each pass of the loops around a call makes other code there, as of another name."""

    def is_made_for_others(self, place: PlaceT) -> bool:
        """Whether a call is all that a lambda does which another call gets: nothing shows where the object goes."""

    def is_apart(self, place: PlaceT) -> bool:
        """Whether no pass of the loop around a call takes what another one has made."""

    def needs_own_programs(self, place: PlaceT, callee: FunctionT) -> bool:
        """Whether each pass of the loops around a call has the function compile other code, or for another size."""

    def compiles_anyway(self, place: PlaceT) -> bool:
        """Whether all compiles again anyway on each pass of the loop around a call, by what that gives to it."""

    def place_returned(self, place: PlaceT) -> int | None:
        """At which place of its result the function around returns another one; None if it does not."""

    def places_called_once(self, place: PlaceT) -> Sequence[int]:
        """The places of what a call returns at which the code around it only calls it, outside of loops."""

    def is_listed(self, place: PlaceT) -> bool:
        """Whether a place puts a function into a dict, from which others may choose it."""

    def are_experiments(self, place: PlaceT) -> bool:
        """Whether the passes of a loop around a place are experiments, each with a set-up of its own, or only a few."""

    def trains(self, function: FunctionT) -> bool:
        """Whether a function learns in a loop, by itself or in what it calls."""

    def defined(self, function: FunctionT) -> Defined | None:
        """None for a function that has no name."""

    def runs_elsewhere(self, function: FunctionT) -> Runs:
        """How often other programs may run a function that nothing calls: again if its users are meant to call it."""

    def has_users(self, function: FunctionT) -> bool:
        """Whether a function is of a library, or called by what is not seen."""

    def is_offered(self, function: FunctionT) -> bool:
        """Whether a package offers a function to its users, who call it also if only tests of the program do."""

    def is_example(self, place: PlaceT, function: FunctionT) -> bool:
        """Whether a place shows how a function of a library is used, and does not tell how often its users call it."""

    def program_of(self, place: PlaceT) -> Hashable:
        """The one program that runs the code at a place, if no other does; None for that of a library."""

    def outer(self, function: FunctionT) -> FunctionT | None:
        """The function around one that has no name."""

    def uses(self, function: FunctionT) -> Uses[PlaceT]: ...


@dataclass(frozen=True)
class Running(Generic[FunctionT, PlaceT]):
    """How often code runs, and why."""

    runs: Runs
    cause: Cause | None = None  # of what runs again, or once in each whole run
    places: tuple[PlaceT, ...] = ()  # that show it
    function: FunctionT | None = None  # which these places call; None where a loop is around the code itself
    is_certain: bool = False  # of what does not run again: no other module changes that

    @property
    def is_again(self) -> bool:
        return self.runs is Runs.AGAIN

    @property
    def is_open(self) -> bool:
        """Whether modules that are not seen may show something else."""
        return self.cause in _OPEN if self.is_again else not self.is_certain

    @property
    def is_potential(self) -> bool:
        """Whether it runs more than once, as far as it shows, and not often: nobody cares if that compiles again."""
        return self.cause in (Cause.CALLERS, Cause.LISTED, Cause.RUNS, Cause.TESTED, Cause.OFFERED)


def shown_best(
    again: Iterable[Running[FunctionT, PlaceT]], program: Program[FunctionT, PlaceT]
) -> Running[FunctionT, PlaceT]:
    """The first of those that show best that code runs again: of loops, one over more than a few experiments."""

    def weakness(running: Running[FunctionT, PlaceT]) -> tuple[int, bool]:
        cause = _SHOWN_BEST.index(running.cause) if running.cause in _SHOWN_BEST else 0
        return cause, any(map(program.are_experiments, running.places))

    return min(again, key=weakness)
