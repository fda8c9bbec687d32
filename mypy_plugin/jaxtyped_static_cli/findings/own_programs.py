"""Which calls of a program give a function what it compiles in, other code or another size, on each pass of a loop."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from jaxtyped_static_mypy.facts.objects.uses import Function, Use
from jaxtyped_static_mypy.source.own_programs import are_varied

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
        return are_varied([frozenset(keys) for keys in place.use.varies], _passed(facts), self._compiled_in(function))

    def _compiled_in(self, function: str) -> frozenset[str]:
        """The parameters for each value of which a function compiles."""
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
        names, wanted = _passed(facts), self._compiled_in(callee)
        keys = {key for name in wanted & set(names) for key in (names.index(name), name)}
        return frozenset(given.parameter for given in use.passed if given.parameter and given.key in keys)


def _passed(facts: Function) -> list[str]:
    """The parameters of a function that a call passes."""
    names = [str(given.key) for given in facts.parameters]
    is_bound = bool(facts.cls) and not any(last_name(name) == _STATIC for name in facts.decorators)
    return names[is_bound:]
