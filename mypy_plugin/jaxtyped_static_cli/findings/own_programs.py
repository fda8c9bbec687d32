"""Which calls of a program give a function what it compiles in, other code or another size, on each pass of a loop."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from jaxtyped_static_mypy.facts.objects.uses import Function, Use
from jaxtyped_static_mypy.source.own_programs import are_varied
from jaxtyped_static_mypy.syntax.paths import part_of, split_path

from .places import Place, UsedPlaces, last_name

_STATIC: Final = "staticmethod"


@dataclass(frozen=True, eq=False)
class OwnPrograms:
    """What the functions of a program compile in, with those that they call."""

    places: UsedPlaces
    facts: Callable[[str], Function | None]
    _known: dict[str, frozenset[str]] = field(default_factory=dict, init=False)

    def are_needed(self, place: Place, function: str) -> bool:
        """Whether each pass of the loops around a call gives the function something else to compile in."""
        facts = self.facts(function)
        if facts is None or not place.use.varies:
            return False
        passed, receiver = _passed(facts)
        varied = [frozenset(keys) for keys in place.use.varies]
        return are_varied(varied, passed, self._compiled_in(function), receiver)

    def _compiled_in(self, function: str) -> frozenset[str]:
        """The parameters for each value of which a function compiles, or their parts."""
        facts = self.facts(function)
        if facts is None:
            return frozenset()
        if function not in self._known:
            self._known[function] = frozenset()  # while those are asked that it calls: they may call each other
            handed = (self._handed(use, callee) for callee, use in self.places.uses_in(function) if use.is_call)
            self._known[function] = frozenset(facts.compiles_in).union(*handed)
        return self._known[function]

    def _handed(self, use: Use, callee: str) -> frozenset[str]:
        """The parameters of the function around a call that the called one compiles in."""
        facts = self.facts(callee)
        if facts is None or not use.passed:
            return frozenset()
        places = {name: index for index, name in enumerate(_passed(facts)[0])}
        wanted = [split_path(path) for path in self._compiled_in(callee)]
        parts = [(key, part) for name, part in wanted if name in places for key in (places[name], name)]
        handed = ((given.parameter, part) for given in use.passed for key, part in parts if given.key == key)
        return frozenset(part_of(parameter, part) if part else parameter for parameter, part in handed if parameter)


def _passed(facts: Function) -> tuple[list[str], str]:
    """The parameters of a function that a call passes, and the one that gets the object of a method, or nothing."""
    names = [str(given.key) for given in facts.parameters]
    if not facts.cls or any(last_name(name) == _STATIC for name in facts.decorators):
        return names, ""
    return names[1:], names[0] if names else ""
