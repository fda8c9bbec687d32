"""Code that the program never gets to, because no call passes what a condition in front of it asks for."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from jaxtyped_static_mypy.facts.method_facts import MAKING
from jaxtyped_static_mypy.facts.objects.conditions import Condition, Constant, Given
from jaxtyped_static_mypy.facts.objects.uses import Function, Use
from jaxtyped_static_mypy.reach.program import Uses

from .places import Place, last_name

_CALLING_NOTHING: Final = frozenset({"abc.abstractmethod", "classmethod", "staticmethod", "typing.override"})
_STATIC: Final = "staticmethod"
_Values = frozenset[tuple[type, Constant]]  # `1` and `True` are two
_SOMETHING: Final[tuple[type, Constant]] = (object, None)  # a value that is not None, and of which no more is known


class Asked(NamedTuple):
    """What is asked of a program."""

    facts: Callable[[str], Function | None]
    uses: Callable[[str], Uses[Place]]
    is_in_test: Callable[[Place], bool]
    is_inherited: Callable[[str], bool]  # whether a class has others below it, or is used other than by its calls


@dataclass(frozen=True, eq=False)
class Switches:
    """What the calls of a program that are no tests pass for the parameters of its functions."""

    program: Asked
    _values: dict[tuple[str, str], _Values | None] = field(default_factory=dict, init=False)
    _asked: list[tuple[str, str]] = field(default_factory=list, init=False)  # those whose callers are being asked
    _off: dict[str, bool] = field(default_factory=dict, init=False)

    def is_off(self, place: Place) -> bool:
        return bool(place.use.needs) and self.are_off(f"{place.module}.{place.use.where}", place.use.needs)

    def are_off(self, function: str, conditions: Iterable[Condition]) -> bool:
        """Whether no call of a function passes what one of these conditions asks for."""
        for condition in conditions:
            values = self._passed(function, condition.parameter)
            is_optional = self._is_none_left_out(function, condition.parameter)
            if values is not None and not any(_allows(condition, value, is_optional=is_optional) for value in values):
                return True
        return False

    def are_all_off(self, function: str) -> bool:
        """Whether the program gets to none of the calls of a function."""
        if function not in self._off:
            self._off[function] = False  # while its callers are asked: functions that call each other may run
            calls = self._calls(function)
            outer = [(place, f"{place.module}.{place.use.where}") for place in calls or ()]
            off = (self.is_off(place) or (bool(place.use.where) and self.are_all_off(name)) for place, name in outer)
            self._off[function] = bool(calls) and all(off)
        return self._off[function]

    def _is_none_left_out(self, function: str, parameter: str) -> bool:
        """Whether a parameter is None where a call leaves it out."""
        facts = self.program.facts(function)
        known = facts.parameters if facts is not None else ()
        return any(default.key == parameter and default.value == (None,) for default in known)

    def _passed(self, function: str, parameter: str) -> _Values | None:
        """The constants that all calls pass for a parameter; None if it may be something else."""
        key = function, parameter
        if key in self._asked:  # what calls itself passes what it has; of two that call each other, nobody knows
            return frozenset() if key == self._asked[-1] else None
        if key not in self._values:
            self._asked.append(key)
            self._values[key] = self._passed_by_calls(function, parameter)
            self._asked.pop()
        return self._values[key]

    def _passed_by_calls(self, function: str, parameter: str) -> _Values | None:
        facts, calls = self.program.facts(function), self._calls(function)
        if facts is None or not calls or not facts.decorators <= _CALLING_NOTHING:
            return None
        if last_name(function) in MAKING and self.program.is_inherited(function.rpartition(".")[0]):
            return None  # objects of classes below it are made by it, too, perhaps with other parameters
        found: _Values = frozenset()
        for place in calls:
            values = self._given(place, facts, parameter) if not self.is_off(place) else frozenset()
            if values is None:
                return None
            found |= values
        return found

    def _calls(self, function: str) -> list[Place] | None:
        """The calls of a function that are no tests; None if the program does not show all of them, or only its own."""
        uses = self.program.uses(function)
        calls = [place for place in uses.calls if not self.program.is_in_test(place)]
        others = [place for place in (*uses.handed_on, *uses.compiled) if not self.program.is_in_test(place)]
        is_called = any(f"{place.module}.{place.use.where}" != function for place in calls)
        return calls if is_called and not others and not uses.is_open else None

    def _given(self, place: Place, facts: Function, parameter: str) -> _Values | None:
        names = [known.key for known in facts.parameters]
        if place.use.passed is None or parameter not in names:
            return None
        skipped = int(bool(facts.cls) and _STATIC not in facts.decorators)
        keys = (parameter, names.index(parameter) - skipped)
        default = facts.parameters[names.index(parameter)]
        given = next((given for given in place.use.passed if given.key in keys), default)
        return self._value(given, place.use, place.module)

    def _value(self, given: Given, use: Use, module: str) -> _Values | None:
        if given.parameter:
            return self._passed(f"{module}.{use.where}", given.parameter)
        if not given.value:
            return frozenset({_SOMETHING}) if given.is_something else None
        return frozenset((type(value), value) for value in given.value)


def _allows(condition: Condition, passed: tuple[type, Constant], *, is_optional: bool) -> bool:
    """`is_optional`: whether the parameter is None if it is left out, so that a test asks if there is something."""
    if passed != _SOMETHING:
        return condition.allows(passed[1])
    if condition.compared:
        return condition.compared != (None,) or not condition.outcome
    return condition.outcome or not is_optional
