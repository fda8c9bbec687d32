"""One run through the steps of a program, as far as they show what the attributes of one object hold.

There is one object of the class at a time: the one made last. A loop runs twice, and what a condition may leave out
gives an attribute a value that nobody knows.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from .names import Known, Names
from .steps import Guarded, Loop, Named, Set, Step, Stored, flat, last

_MOST_STEPS: Final = 50_000
_EMPTY: Final = frozenset({"", "None"})
_FALSE: Final = _EMPTY | {"False", "0", "0.0", "''"}
_MISSING: Final = ""
_ANYBODY: Final = "..."  # has what a variable holds
_NEW: Final = "?"  # begins a value that nobody knows, with a number

Place = tuple[str, int, str]  # a module, a line, and an attribute


class Asked(NamedTuple):
    """What a replay is about."""

    makes: frozenset[str]  # the names of the class, and of those below it
    compiled: Collection[str]  # the names that run what JAX has compiled
    keys: Mapping[str, str]  # static parameters beside the object: by position and by name
    changes: Collection[Place]  # that change an object of the class
    made: Collection[tuple[str, str]]  # modules, and variables there that hold new objects of the class
    read: Collection[str]  # the attributes that count
    initial: Mapping[str, str]  # what they hold at first, if that is a constant
    lazy: Collection[str]  # they have no value at first, and compiled code needs one
    is_equal_by_value: bool  # a changed object stands for equal ones, too
    relevant: frozenset[str]  # the names that lead to any of it
    changing: frozenset[str]  # those that lead to a change
    traced: Collection[Known]  # what JAX compiles, if it leads to a change
    held: frozenset[str]  # the relevant functions that a variable or parameter may hold
    holders: frozenset[str]  # those variables and parameters


class TooMuch(Exception):
    """The replay shows nothing: it takes too long, or what runs when is not to be seen."""


@dataclass
class Replay:
    """The object as it is, and what was compiled in."""

    names: Names
    asked: Asked
    is_strict: bool = False  # nothing runs but what does so for sure, as far as names tell
    held: dict[str, str] = field(default_factory=dict)
    compiled_in: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)
    is_stale: bool = False
    reached: set[Place] = field(default_factory=set)
    has_run: bool = False
    stale: set[Place] = field(default_factory=set)  # what gave attributes the values that compiled code does not find
    _setting: dict[str, Place] = field(default_factory=dict)  # by each attribute, what set it last
    _news: int = 0
    _steps: int = 0
    _around: list[Known] = field(default_factory=list)

    def run(self, known: Known, *, is_uncertain: bool = False) -> None:
        if self._around.count(known) > 1:
            return
        self._around.append(known)
        self._run_all(known.routine.steps, known, is_uncertain=is_uncertain)
        self._around.pop()

    def compile(self, key: tuple[str, ...] = ()) -> None:
        """Runs what JAX has compiled, or compiles it."""
        self.has_run = True
        for known in self.asked.traced:
            self.run(known)
        held = {name: self._value(name) for name in self.asked.read}
        own = {name: value for name, value in held.items() if not (name in self.asked.lazy and value in _EMPTY)}
        kept = self.compiled_in.setdefault(key, {})
        stale = [name for name, value in own.items() if kept.get(name, value) != value]
        self.is_stale |= bool(stale)
        self.stale.update(self._setting[name] for name in stale if name in self._setting)
        for name, value in own.items():
            kept.setdefault(name, value)

    def _value(self, name: str) -> str:
        return self.held.get(name, self.asked.initial.get(name, _MISSING))

    def _run_all(self, steps: tuple[Step, ...], known: Known, *, is_uncertain: bool) -> None:
        for step in steps:
            if isinstance(step, Stored):
                continue
            self._steps += 1
            if self._steps > _MOST_STEPS:
                raise TooMuch
            match step:
                case Loop():
                    for _ in range(2 if self._matters(step.steps, known) else 0):
                        self._run_all(step.steps, known, is_uncertain=is_uncertain)
                case Guarded():
                    self._run_guarded(step, known, is_uncertain=is_uncertain)
                case Set():
                    self._set(step, known, is_uncertain=is_uncertain)
                case Named() if self.is_strict and step.is_uncertain:
                    pass
                case Named() if step.name in self.asked.relevant:
                    self._use(step, known, is_uncertain=is_uncertain or step.is_uncertain)
                case Named() if step.is_call and not self.is_strict:
                    for name in self._held_by(step.name):
                        self._use(step._replace(name=name, owner=_ANYBODY), known, is_uncertain=True)

    def _held_by(self, name: str) -> list[str]:
        return self.names.held_by(name, self.asked.held) if name in self.asked.holders else []

    def _matters(self, steps: tuple[Step, ...], known: Known) -> bool:
        return any(
            step.name in self.asked.relevant or step.name in self.asked.holders
            if isinstance(step, Named)
            else (known.module, step.line, step.name) in self.asked.changes or step.name in self.names.setters
            for step in flat(steps)
        )

    def _run_guarded(self, step: Guarded, known: Known, *, is_uncertain: bool) -> None:
        """Runs what gives an attribute a value, if it has none."""
        fills = any(isinstance(inner, Set) and inner.name == step.attribute for inner in flat(step.steps))
        value = self._value(step.attribute)
        if fills and value not in _FALSE and not (value.startswith(_NEW) and step.attribute not in self.held):
            return
        self._run_all(step.steps, known, is_uncertain=is_uncertain)

    def _set(self, step: Set, known: Known, *, is_uncertain: bool) -> None:
        if self.is_strict and step.is_uncertain:
            return
        place = known.module, step.line, step.name
        for setter in self.names.setters.get(step.name, ()):
            self.run(setter, is_uncertain=is_uncertain or step.is_uncertain)
        is_new = (known.module, step.owner) in self.asked.made and step.name in self.asked.read
        if place not in self.asked.changes and not is_new:
            if (known.module, step.line, "*") in self.asked.changes:
                self._change("*", "")
                self.reached.add((known.module, step.line, "*"))
            return
        self.reached.add(place)
        self._setting[step.name] = place
        self._change(step.name, "" if is_uncertain or step.is_uncertain else step.constant)

    def _change(self, name: str, constant: str) -> None:
        self._news += 1
        value = constant or f"{_NEW}{self._news}"
        if self.asked.is_equal_by_value and self.compiled_in and value != self._value(name):
            self.is_stale = self.is_stale or name in self.asked.read
        self.held[name] = value

    def _use(self, step: Named, known: Known, *, is_uncertain: bool) -> None:
        if step.name in self.asked.compiled and not step.is_for_jit:
            self.compile(self._key(step))
            return
        if step.name in self.asked.makes and step.is_call and not is_uncertain:
            self.held, self.compiled_in = {}, {}
        found = list(self.names.meant(step, known))
        if self.is_strict and len(found) > 1:
            return
        for called in found:
            is_run = step.is_call or called.is_property
            if not is_run and called.name in self.asked.changing and last(called.routine.cls) != called.name:
                raise TooMuch  # handed on to who knows whom
            if is_run:
                self.run(called, is_uncertain=is_uncertain or len(found) > 1)

    def _key(self, step: Named) -> tuple[str, ...]:
        """What a call passes for other static parameters, as far as these are attributes of an object."""
        given = ((self.asked.keys[key], name) for key, name in step.given if key in self.asked.keys)
        return tuple(f"{parameter}={self._value(name)}" for parameter, name in sorted(given))
