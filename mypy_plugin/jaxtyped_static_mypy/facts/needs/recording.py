"""What a walk through a function knows of its variables, and what it has found."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mypy.nodes import Expression, NameExpr

from ...syntax.imports import is_always_from
from ...syntax.names import base_of, dotted_name
from ..functions.scope import ModuleNames

Origins = frozenset[str]  # the parameters of which any that is a tracer makes the value one
Env = dict[str, Origins]  # by variable; those that are left out may be concrete

NOTHING: Final[Origins] = frozenset()

# The kind of use of a condition that is the value itself: a container has a truth value, and a tracer has none.
TRUTH: Final = "truth"
# What would decide a shape.
SHAPE: Final = "shape"
BOUND: Final = "bound"
MASK: Final = "mask"
COUNTED: Final = "counted"


class Handed(NamedTuple):
    """A parameter that is passed on to another function."""

    parameter: str
    function: str  # full name, as the module imports it
    position: int
    keyword: str  # empty for a positional argument


@dataclass
class Found:
    """What is found on one way through a function."""

    needs: dict[str, str] = field(default_factory=dict)  # by parameter: the kind of use
    handed: set[Handed] = field(default_factory=set)


@dataclass
class Walk:
    """Where a walk is, and what it has found so far."""

    names: ModuleNames
    hidden: frozenset[str]  # names of the module that stand for something else in the function
    found: Found = field(default_factory=Found)
    returned: list[Origins] = field(default_factory=list)  # of each statement that returns, and of each that may
    reached: Origins = NOTHING  # the parameters that may be tracers for code that each call gets to

    def need(self, kind: str, origins: Origins) -> None:
        for parameter in origins & self.reached:
            self.found.needs.setdefault(parameter, kind)

    def hand(self, origins: Origins, function: str, position: int, keyword: str) -> None:
        self.found.handed.update(Handed(one, function, position, keyword) for one in origins & self.reached)

    @contextmanager
    def only_for(self, parameters: Origins) -> Iterator[None]:
        """Code that each call gets to only if one of these parameters is a tracer."""
        outside = self.reached
        self.reached = outside & parameters
        yield
        self.reached = outside

    def full_name(self, node: Expression) -> str:
        """The full name of a name of the module; empty for anything else."""
        dotted = dotted_name(node)
        return self.names.full_name(dotted) if dotted and dotted.partition(".")[0] not in self.hidden else ""

    def is_from(self, package: str, node: Expression) -> bool:
        """Whether a name can come from no other package: some programs import `np` from either."""
        root = base_of(node)
        return isinstance(root, NameExpr) and is_always_from(package, root.name, self.names.file)


def joined(parts: Iterable[Origins]) -> Origins:
    return NOTHING.union(*parts)
