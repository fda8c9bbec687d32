"""How often a whole program runs its functions: it says who calls what, for the rule in `reach/repetition`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from jaxtyped_static_mypy.facts.method_facts import MAKING
from jaxtyped_static_mypy.facts.objects.resolving import KnownModules
from jaxtyped_static_mypy.facts.objects.uses import Function, ModuleUses, Use
from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.reach import repetition
from jaxtyped_static_mypy.reach.repetition import Cause, Defined, Runs, Uses

_PROTOCOL: Final = "Protocol"
_PROPERTIES: Final = frozenset({"property", "cached_property"})
_DUNDER: Final = "__"
_UNSEEN: Final = "."  # the object that has the attribute, in the text of a use


class Place(NamedTuple):
    """A use of a function or class, and the module that it is in."""

    module: str
    use: Use

    @property
    def order(self) -> tuple[str, int]:
        return self.module, self.use.line


Running: TypeAlias = repetition.Running[str, Place]


@dataclass(frozen=True, eq=False)
class ProgramRuns:
    """The functions of a program, by their full names, with what the modules say of them."""

    program: KnownModules
    modules: tuple[str, ...]

    def of(self, function: str) -> Running | None:
        """How often the program runs a function, and why; None if it does not know it."""
        if self._facts(function) is None:
            return None
        if self._is_in_test(*self._split(function)):
            return repetition.Running(Runs.IN_TESTS, is_certain=True)
        return repetition.running_of(function, self)

    def at(self, place: Place) -> Running:
        return repetition.running_at(place, self)

    def shows_again(self, place: Place) -> bool:
        """Whether the program itself, and not only who uses it, runs the code at a place again and again."""
        found = self.at(place)
        return found.is_again and found.cause is not Cause.INTERFACE

    def makes(self, cls: str) -> list[Place]:
        """The calls of a class."""
        return [place for place in self._uses.get(cls, ()) if place.use.is_call]

    def makes_once(self, cls: str) -> bool:
        """Whether the program makes objects of a class, or of those that inherit from it, but none again and again."""
        calls = [place for place in self._constructions.get(cls, ()) if place.use.is_call]
        runs = [self.at(place).runs for place in calls]
        return Runs.ONCE in runs and Runs.AGAIN not in runs

    def is_unused(self, function: str) -> bool:
        """Whether the program has no place that uses a function, or may use it."""
        return self.uses(function) == Uses([], [], [])

    # What the rule asks

    def runs_itself(self, place: Place) -> Runs | None:
        if self._is_in_test(place.module, place.use.where):
            return Runs.IN_TESTS
        if place.use.is_traced:
            return Runs.TRACED
        if place.use.is_once:
            return Runs.ONCE
        return Runs.AGAIN if place.use.is_repeated else None

    def function_around(self, place: Place) -> str | None:
        return f"{place.module}.{place.use.where}" if place.use.where else None

    def is_interface(self, function: str) -> bool:
        module, _ = self._split(function)
        facts = self._facts(function)
        return facts is None or bool(facts.cls or facts.decorators) or module not in self._scripts

    def program_of(self, place: Place) -> str | None:
        return place.module if place.module in self._scripts else None

    def outer(self, function: str) -> str | None:
        module, inner = self._split(function)
        outer = inner.rpartition(".")[0]
        return f"{module}.{outer}" if outer else None

    def is_in_set_up(self, place: Place) -> bool:
        return any(naming.is_set_up(_last(name)) for name, _ in self._around(place.module, place.use.where))

    def defined(self, function: str) -> Defined | None:
        facts = self._facts(function)
        if facts is None:
            return None
        cls = f"{self._split(function)[0]}.{facts.cls}" if facts.cls else ""
        is_overriding = bool(cls) and any(self._may_define(base, _last(function)) for base in self._above(cls))
        return Defined(_last(function), bool(cls), facts.decorators, is_overriding)

    def uses(self, function: str) -> Uses[Place]:
        """The places that use a function; a method also where an object of a base of its class is used."""
        facts, name = self._facts(function), _last(function)
        if facts is None:
            return Uses()
        if not facts.cls:
            return _sorted(self._uses.get(function, ()))
        module, _ = self._split(function)
        cls = f"{module}.{facts.cls}"
        if name in MAKING:
            return _sorted(place for place in self._constructions.get(cls, ()) if place.use.is_call)
        if name.startswith(_DUNDER):
            return Uses(is_open=True)
        found = [place for base in self.program.lineage(cls) for place in self._uses.get(f"{base}.{name}", ())]
        is_property = any(_last(decorator) in _PROPERTIES for decorator in facts.decorators)
        known = _sorted(found, are_calls=is_property, is_open=name in self._unknown)
        by_name = self._perhaps.get(name, ())
        compiled = [place for place in by_name if place.use.is_compiled]
        perhaps = tuple(place for place in by_name if not place.use.is_compiled)
        return known._replace(compiled=[*known.compiled, *compiled], perhaps=perhaps)

    # What the modules say

    def _facts(self, function: str) -> Function | None:
        uses, inner = self.program.split(function)
        return uses.functions.get(inner) if uses is not None else None

    def _split(self, function: str) -> tuple[str, str]:
        uses, inner = self.program.split(function)
        return (uses.module if uses is not None else ""), inner

    def _around(self, module: str, where: str) -> Iterator[tuple[str, Function]]:
        """The functions around the code in a function, outermost first, and that function."""
        uses, parts = self.program.find(module), where.split(".")
        names = (".".join(parts[: i + 1]) for i in range(len(parts)))
        for name in names:
            if uses is not None and (facts := uses.functions.get(name)) is not None:
                yield name, facts

    def _is_in_test(self, module: str, where: str) -> bool:
        if naming.is_test_module(module):
            return True
        return any(
            naming.is_test(_last(name)) or (facts.cls and self._has_base(f"{module}.{facts.cls}", naming.TEST_CASE))
            for name, facts in self._around(module, where)
        )

    def _has_base(self, cls: str, name: str) -> bool:
        """Whether a class inherits from one with such a name, perhaps of a package that is not seen."""
        return any(_last(base) == _last(name) for base in self._above(cls))

    def _above(self, cls: str) -> Iterator[str]:
        """The bases of a class and of those above it, as they are written, also those of packages that are not seen."""
        return (base for above in self.program.lineage(cls) for base in self._bases(above))

    def _may_define(self, base: str, method: str) -> bool:
        uses, inner = self.program.split(self.program.definition(base) or base)
        return uses is None or f"{inner}.{method}" in uses.functions

    def _bases(self, cls: str) -> tuple[str, ...]:
        uses, inner = self.program.split(cls)
        return uses.bases.get(inner, ()) if uses is not None else ()

    @cached_property
    def _found(self) -> list[tuple[str, ModuleUses]]:
        found = ((module, self.program.find(module)) for module in sorted(self.modules))
        return [(module, uses) for module, uses in found if uses is not None]

    @cached_property
    def _scripts(self) -> frozenset[str]:
        """The modules that are programs, and that no other module imports, as far as the names tell."""
        imports = {module: uses.imports for module, uses in self._found}
        scripts = (module for module, uses in self._found if uses.is_script)
        return frozenset(
            script
            for script in scripts
            if not any(_may_be(name, script) for module, names in imports.items() if module != script for name in names)
        )

    @cached_property
    def _names(self) -> frozenset[str]:
        """The last names of all functions and classes of the program."""
        names = (name for _, uses in self._found for name in (*uses.functions, *uses.bases))
        return frozenset(map(_last, names))

    @cached_property
    def _resolved(self) -> tuple[Mapping[str, list[Place]], frozenset[str]]:
        """The uses of each function and class, and the names of attributes that may be of any object."""
        by_name: dict[str, list[Place]] = {}
        unknown = {name for _, uses in self._found for name in uses.unknown}
        for module, use in ((module, use) for module, uses in self._found for use in uses.uses):
            is_unseen = use.what.startswith(_UNSEEN)
            if is_unseen or (not use.is_call and _last(use.what) not in self._names):
                continue  # most attributes
            defined = self._definition(use.what, module)
            if defined is not None:
                by_name.setdefault(defined, []).append(Place(module, use))
            elif (name := _attribute_of_object(use.what)) in self._names:
                unknown.add(name)
        for method in by_name:
            cls, _, name = method.rpartition(".")
            if name not in unknown and any(_last(base) == _PROTOCOL for base in self._bases(cls)):
                unknown.add(name)  # an object of any class may be meant
        return by_name, frozenset(unknown)

    def _definition(self, text: str, module: str) -> str | None:
        """What a text of a module stands for; a script imports modules from its own folder, too."""
        folder = module.rpartition(".")[0]
        found = self.program.definition(text)
        return self.program.definition(f"{folder}.{text}") if found is None and folder else found

    @cached_property
    def _perhaps(self) -> Mapping[str, list[Place]]:
        """The calls of methods, by their names, of objects of which the syntax does not show what they are."""
        found: dict[str, list[Place]] = {}
        for module, uses in self._found:
            for use in uses.uses:
                name = _last(use.what)
                if use.what.startswith(_UNSEEN) and name in self._names:
                    found.setdefault(name, []).append(Place(module, use))
        return found

    @property
    def _uses(self) -> Mapping[str, list[Place]]:
        return self._resolved[0]

    @property
    def _unknown(self) -> frozenset[str]:
        return self._resolved[1]

    @cached_property
    def _constructions(self) -> Mapping[str, list[Place]]:
        """The calls of each class, and of those that inherit from it."""
        found: dict[str, list[Place]] = {}
        for name, places in self._uses.items():
            uses, inner = self.program.split(name)
            if uses is not None and inner in uses.bases:
                for cls in self.program.lineage(name):
                    found.setdefault(cls, []).extend(places)
        return found


def _sorted(places: Iterable[Place], *, are_calls: bool = False, is_open: bool = False) -> Uses[Place]:
    found = sorted(places, key=lambda place: place.order)
    calls = [place for place in found if place.use.is_call or are_calls]
    others = [place for place in found if not (place.use.is_call or are_calls)]
    handed_on = [place for place in others if not place.use.is_compiled]
    return Uses(calls, handed_on, [place for place in others if place.use.is_compiled], is_open)


def _attribute_of_object(text: str) -> str:
    """The last attribute in a text, if it is one of an object, which is made by a call or an element of another."""
    return _last(text) if "()" in text or "[]" in text else ""


def _may_be(name: str, module: str) -> bool:
    """Whether an imported name may be a module: a script's folder is on the path of imports, or the one above it."""
    return name == module or module.endswith(f".{name}") or name.endswith(f".{module}")


def _last(name: str) -> str:
    return name.rpartition(".")[2]
