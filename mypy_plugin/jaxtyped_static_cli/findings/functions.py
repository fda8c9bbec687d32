"""The functions of a program by their full names, and what its modules say of them: who uses them, and where."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from jaxtyped_static_mypy.facts.method_facts import MAKING
from jaxtyped_static_mypy.facts.objects.resolving import KnownModules
from jaxtyped_static_mypy.facts.objects.uses import Function, ModuleUses
from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.reach.program import Defined, Uses

from .imports import Imports
from .places import Place, UsedPlaces, last_name

PROPERTIES: Final = frozenset({"property", "cached_property"})
_COMPILER: Final = "jax.jit"
_CALLING_NOTHING: Final = frozenset({"ABC", "Generic", "object"})  # bases


@dataclass(frozen=True, eq=False)
class ProgramFunctions:
    """What the modules of a program say of its functions."""

    program: KnownModules
    modules: tuple[str, ...]
    folders: Mapping[str, Path]  # of modules that are in no package, and not where a project has its library
    tests: frozenset[str]  # modules of tests, by their paths
    examples: frozenset[str]  # of examples, by theirs
    packaged: frozenset[str] = frozenset()  # those that the project installs for its users

    def defined(self, function: str) -> Defined | None:
        facts = self._facts(function)
        if facts is None:
            return None
        cls = f"{self._split(function)[0]}.{facts.cls}" if facts.cls else ""
        is_overriding = bool(cls) and any(self._may_define(base, last_name(function)) for base in self._above(cls))
        name, makes = last_name(function), facts.makes_functions
        return Defined(name, bool(cls), self._decorators(facts), is_overriding, makes, facts.is_handler)

    def _decorators(self, facts: Function) -> frozenset[str]:
        """The full names of what decorates a function, and JAX's compiler if one of the program's own is among them."""
        known = (self._facts(decorator) for decorator in facts.decorators)
        is_compiled = any(one is not None and one.compiles_argument for one in known)
        return facts.decorators | {_COMPILER} if is_compiled else facts.decorators

    def uses(self, function: str) -> Uses[Place]:
        """The places that use a function; a method also where an object of a base of its class is used."""
        facts, name = self._facts(function), last_name(function)
        if facts is None:
            return Uses()
        if not facts.cls:
            return _sorted(self._places.of(function))
        module, _ = self._split(function)
        cls = f"{module}.{facts.cls}"
        if name in MAKING:
            return _sorted(place for place in self._places.constructions(cls) if place.use.is_call)
        found = [
            place
            for base in self.program.lineage(cls)
            for place in self._places.of(f"{base}.{name}")
            if not self._is_of_sibling(place, base, cls)
        ]
        if naming.is_special(name):
            return _sorted((place for place in found if place.use.is_call or place.use.is_compiled), is_open=True)
        is_property = any(last_name(decorator) in PROPERTIES for decorator in facts.decorators)
        is_open = self._places.is_read_unseen(name, is_property=is_property)
        likely = [place for place in self._places.by_name(name) if place not in found]
        likely += [place for place, _ in self._places.one_of(function) if place not in likely]
        near = [place for place in likely if self._may_meet(place, module)]
        is_open = is_open or (bool(likely) and not (found or near))
        named = _sorted(near)
        known = _sorted(found, are_calls=is_property, is_open=is_open)
        read, handed_on = (named.handed_on, ()) if is_property else ((), named.handed_on)
        return known._replace(
            compiled=[*known.compiled, *named.compiled],
            handed_on=[*known.handed_on, *handed_on],
            perhaps=tuple(sorted((*named.calls, *read), key=lambda place: _distance(place.module, module))),
        )

    def uses_and_likely(self, function: str) -> Uses[Place]:
        """The same, with those of methods of its name that objects have of which no class is seen."""
        facts, found, name = self._facts(function), self.uses(function), last_name(function)
        if facts is None or not facts.cls or naming.is_special(name):
            return found
        others = (place for place in self._places.unresolved(name) if place not in found.perhaps)
        more = _sorted(others, is_open=self._places.is_read_uncalled(name))
        return Uses(
            [*found.calls, *found.perhaps, *more.calls],
            [*found.handed_on, *more.handed_on],
            [*found.compiled, *more.compiled],
            more.is_open,
        )

    def _may_meet(self, place: Place, module: str) -> bool:
        """Whether code at a place may have objects of a class of a module, for what modules import.

        A package or folder may be put together elsewhere; not so with a copy of another project in it. Tests show
        nothing of how often a function runs.
        """
        other = place.module
        if other == module or self.is_test_module(other) or other in self.imports.connected(module):
            return True
        if naming.is_vendored(other) or naming.is_vendored(module):
            return False
        if "." in module:
            return other.startswith(f"{module.partition('.')[0]}.")
        return "." not in other and self.folders.get(other) == self.folders.get(module)

    @cached_property
    def imports(self) -> Imports:
        """What the modules import that are no tests."""
        own = (name for name in self.modules if not self.is_test_module(name))
        found = ((name, self.program.find(name)) for name in own)
        return Imports({name: uses.imports for name, uses in found if uses is not None})

    def _class_around(self, place: Place) -> str:
        """The class of the method that a place is in; empty if it is in none."""
        around = [facts.cls for _, facts in self._around(place.module, place.use.where)]
        return f"{place.module}.{around[0]}" if around and around[0] else ""

    def _is_of_sibling(self, place: Place, base: str, cls: str) -> bool:
        """Whether a place is in a class below a base of this one, whose objects are never of this one."""
        around, lineage = self._class_around(place), self.program.lineage(cls)
        return base != cls and around != "" and around not in lineage and base in self.program.lineage(around)

    def _is_replaced(self, cls: str, method: str) -> bool:
        classes = self._defining_classes.get(method, ())
        return any(other != cls and cls in self.program.lineage(other) for other in classes)

    @cached_property
    def _defining_classes(self) -> Mapping[str, list[str]]:
        """The classes that define a method of a name."""
        found: dict[str, list[str]] = {}
        for module in self.modules:
            uses = self.program.find(module)
            for name, facts in uses.functions.items() if uses is not None else ():
                if facts.cls:
                    found.setdefault(last_name(name), []).append(f"{module}.{facts.cls}")
        return found

    def _is_inherited(self, cls: str) -> bool:
        """Whether a class has others below it, or code hands the class on, which may make objects of it."""
        return cls in self._inherited or any(not place.use.is_call for place in self._places.of(cls))

    def is_inherited(self, cls: str, methods: Iterable[str] = ()) -> bool:
        """Whether a class has others below it. `methods`: only such as have another one of these."""
        own = set(self.program.lineage(cls))
        below = [base for one in self._classes_below.get(cls, ()) for base in self.program.lineage(one)]
        others = set(below) - own
        if not methods:
            return bool(others)
        return any(not others.isdisjoint(self._defining_classes.get(name, ())) for name in methods)

    @cached_property
    def _inherited(self) -> frozenset[str]:
        """The classes that have others below them."""
        return frozenset(base for base, below in self._classes_below.items() if len(below) > 1)

    @cached_property
    def _classes_below(self) -> Mapping[str, list[str]]:
        """Each class with those that inherit from it, itself among them."""
        found: dict[str, list[str]] = {}
        known = ((module, self.program.find(module)) for module in self.modules)
        for name in (f"{module}.{name}" for module, uses in known if uses is not None for name in uses.bases):
            for base in self.program.lineage(name):
                found.setdefault(base, []).append(name)
        return found

    @cached_property
    def _places(self) -> UsedPlaces:
        return UsedPlaces(self.program, self.modules, self.folders, self.tests)

    def _methods(self, name: str) -> list[str]:
        return [f"{cls}.{name}" for cls in self._defining_classes.get(name, ())]

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

    def is_test_module(self, module: str) -> bool:
        return module in self.tests or naming.is_test_module(module)

    def is_imported_by_users(self, module: str) -> bool:
        """Whether others import a module: the project installs it, or its tests and examples import its package.

        Scripts, experiments, and modules of tests and examples have none.
        """
        if self.is_test_module(module) or module in self.examples:
            return False
        return module in self.packaged or module.partition(".")[0] in self._packages_shown

    @cached_property
    def _packages_shown(self) -> frozenset[str]:
        """The outermost packages that modules of tests and examples import."""
        packages = {name.partition(".")[0] for name in self.modules if "." in name}
        showing = (name for name in self.modules if self.is_test_module(name) or name in self.examples)
        found = (uses.imports for name in showing if (uses := self.program.find(name)) is not None)
        return frozenset(name.partition(".")[0] for names in found for name in names) & packages

    def _is_in_test(self, module: str, where: str) -> bool:
        if self.is_test_module(module):
            return True
        return any(
            naming.is_test(last_name(name)) or (facts.cls and self._has_base(f"{module}.{facts.cls}", naming.TEST_CASE))
            for name, facts in self._around(module, where)
        )

    def _has_base(self, cls: str, name: str) -> bool:
        """Whether a class inherits from one with such a name, perhaps of a package that is not seen."""
        return any(last_name(base) == last_name(name) for base in self._above(cls))

    def _above(self, cls: str) -> Iterator[str]:
        """The bases of a class and of those above it, as they are written, also those of packages that are not seen."""
        return (base for above in self.program.lineage(cls) for base in self._places.bases(above))

    def _defining(self, base: str) -> tuple[ModuleUses | None, str]:
        """The module that defines a base, as it is written, and its name there; None if that is not seen."""
        return self.program.split(self.program.definition(base) or base)

    def _has_unseen_base(self, cls: str) -> bool:
        bases = (base for base in self._above(cls) if last_name(base.partition("[")[0]) not in _CALLING_NOTHING)
        return any(self._defining(base)[0] is None for base in bases)

    def _may_define(self, base: str, method: str) -> bool:
        uses, inner = self._defining(base)
        return uses is None or f"{inner}.{method}" in uses.functions


def _sorted(places: Iterable[Place], *, are_calls: bool = False, is_open: bool = False) -> Uses[Place]:
    found = sorted(places, key=lambda place: place.order)
    calls = [place for place in found if place.use.is_call or are_calls]
    others = [place for place in found if not (place.use.is_call or are_calls)]
    handed_on = [place for place in others if not place.use.is_compiled]
    return Uses(calls, handed_on, [place for place in others if place.use.is_compiled], is_open)


def _distance(module: str, other: str) -> int:
    """How far one module is from another, which is for whom of several to show first."""
    if module == other:
        return 0
    return 1 if module.rpartition(".")[0] == other.rpartition(".")[0] else 2
