"""Which functions of a program train a model, or fit one, by what they do."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from jaxtyped_static_mypy.facts.objects.resolving import KnownModules
from jaxtyped_static_mypy.facts.objects.uses import Function
from jaxtyped_static_mypy.knowledge import naming

from .places import UsedPlaces, last_name
from .relations import reached


@dataclass(frozen=True, eq=False)
class Training:
    """What the functions of a program learn, with those that they use."""

    program: KnownModules
    places: UsedPlaces
    methods: Callable[[str], list[str]]  # all of a name
    _reached: dict[str, frozenset[str]] = field(default_factory=dict, init=False)

    def trains(self, function: str) -> bool:
        """Whether a function learns in a loop, by itself or in what it calls, or has a library do so."""
        return any(self._learns_in_loop(name) or self._fits(name) for name in self._reached_from(function))

    def _fits(self, name: str) -> bool:
        """Whether a name is that of a library's function that fits a model, and no method of an object."""
        return self._facts(name) is None and "()" not in name and naming.fits(name)

    def _learns_in_loop(self, function: str) -> bool:
        facts = self._facts(function)
        if facts is None or not facts.loops:
            return False
        found = map(self._facts, self._reached_from(function))
        return any(facts.learns for facts in found if facts is not None)

    def _reached_from(self, function: str) -> frozenset[str]:
        """A function, and what it uses, one through the other; also what the program does not define."""
        if function not in self._reached:
            self._reached[function] = reached({function}, self._used_by)
        return self._reached[function]

    def _used_by(self, function: str) -> Iterator[str]:
        """What a function uses, and those nested in it. A method of an unknown object may be a run by its name."""
        yield from self._nested_in(function)
        for name in self.places.used_by(function):
            method = last_name(name)
            if name == f".{method}":
                yield from self.methods(method) if naming.may_be_run(method) else ()
            else:
                yield name

    def _nested_in(self, function: str) -> list[str]:
        uses, inner = self.program.split(function)
        functions: Mapping[str, Function] = uses.functions if uses is not None else {}
        own = (name for name in functions if name.rpartition(".")[0] == inner)
        return [f"{uses.module}.{name}" for name in own] if uses is not None and inner in functions else []

    def _facts(self, function: str) -> Function | None:
        uses, inner = self.program.split(function)
        return uses.functions.get(inner) if uses is not None else None
