"""Where a program uses its functions and classes, and which of them it offers to other programs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.facts.objects.resolving import KnownModules
from jaxtyped_static_mypy.facts.objects.uses import NO_METHOD, ModuleUses, Use
from jaxtyped_static_mypy.knowledge import naming

from .meant import classes_meant, meant_by

_PROTOCOL: Final = "Protocol"
CALL: Final = "__call__"
_UNSEEN: Final = "."  # the object that has the attribute, in the text of a use


class Place(NamedTuple):
    """A use of a function or class, and the module that it is in."""

    module: str
    use: Use

    @property
    def order(self) -> tuple[str, int]:
        return self.module, self.use.line


class _Resolved(NamedTuple):
    by_name: Mapping[str, list[Place]]
    one_of: Mapping[str, list[tuple[Place, frozenset[str]]]]  # the calls of one of several methods, by each of these
    meant: Mapping[Place, frozenset[str]]  # all that it may mean, of each use that the whole program shows
    unknown: frozenset[str]  # the attributes that are read, and not called, of objects that the syntax does not show
    unresolved: Mapping[str, list[Place]]  # the uses of methods of objects whose class has none that is seen, by name


@dataclass(frozen=True, eq=False)
class UsedPlaces:
    """The uses that the modules of a program make of its functions and classes, by their full names."""

    program: KnownModules
    modules: tuple[str, ...]
    folders: Mapping[str, Path]  # of modules that are in no package, and not where a project has its library
    tests: frozenset[str]  # modules of tests
    _run_alone: dict[str, bool] = field(default_factory=dict, init=False)  # each is asked for many places

    def of(self, name: str) -> list[Place]:
        """The uses of a function or class."""
        return self._resolved.by_name.get(name, [])

    def by_name(self, method: str) -> list[Place]:
        """The calls of methods of a name, of objects of which the syntax does not show what they are."""
        return self._perhaps.get(method, [])

    def one_of(self, method: str) -> list[tuple[Place, frozenset[str]]]:
        """The calls of one of several methods, this one among them, each with all that it may mean."""
        return self._resolved.one_of.get(method, [])

    def compiled_at(self, module: str, line: int, method: str) -> frozenset[str]:
        """All that a module may mean by a method that it has compiled at a line; empty if that is not seen."""
        known = ((place, frozenset({name})) for name, places in self._resolved.by_name.items() for place in places)
        found = (pair for pair in (*self._resolved.meant.items(), *known) if pair[0].use.is_compiled)
        here = (
            methods
            for (other, use), methods in found
            if (other, use.line) == (module, line) and last_name(use.what) == method
        )
        return next(here, frozenset())

    def used_by(self, function: str) -> list[str]:
        """The full names of what a function uses, as far as the program defines it; else as the function names it."""
        return [name for name, _ in self.uses_in(function)]

    def uses_in(self, function: str) -> list[tuple[str, Use]]:
        """What a function uses, each with what it uses, named in the same way."""
        return self._used.get(function, [])

    def is_read_unseen(self, method: str, *, is_property: bool) -> bool:
        """Whether the program reads an attribute of this name where it may be of any object."""
        unknown = self._resolved.unknown
        is_read = method in unknown or (is_property and f"{method}{NO_METHOD}" in unknown)
        return is_read or method in self._resolved.unresolved

    def is_read_uncalled(self, method: str) -> bool:
        """Whether the program reads an attribute of this name, and does not call it, where it may be of any object."""
        return method in self._resolved.unknown

    def unresolved(self, method: str) -> list[Place]:
        """The uses of methods of a name, of objects whose class has none that the program shows."""
        return self._resolved.unresolved.get(method, [])

    def constructions(self, cls: str) -> list[Place]:
        """The uses of a class, and of those that inherit from it."""
        return self._constructions.get(cls, [])

    def bases(self, cls: str) -> tuple[str, ...]:
        """The bases of a class as they are written."""
        uses, inner = self.program.split(cls)
        return uses.bases.get(inner, ()) if uses is not None else ()

    def is_exported(self, module: str, name: str) -> bool:
        """Whether users of the program are meant to import a name: from a module that is in no package, or is one.

        Of the modules of a package, if some module that is no test imports it, or if the package has the module's names
        itself. Anybody can import the rest, too, but in most projects nobody does.
        """
        is_inner = "." in module and module not in self._packages
        return not is_inner or self.is_imported(module, name) or module in self._handed_on

    def is_offered(self, module: str, name: str) -> bool:
        """Whether a package imports a name from a module of its own: it is there for its users."""
        return f"{module}.{name}" in self._offered

    def is_in_interface(self, module: str, name: str) -> bool:
        """Whether a package has a name from a module of its own, or all of the module: it is there for its users."""
        return self.is_offered(module, name) or module in self._handed_on or module in self._packages

    def is_imported(self, module: str, name: str) -> bool:
        """Whether a module that is no test imports a name from another."""
        return f"{module}.{name}" in self._imported

    def is_beside_scripts(self, module: str) -> bool:
        """Whether only scripts of its own folder, and what is beside them, import a module: nobody is offered it."""
        folder = self.folders.get(module)
        found = [(other, uses, name) for other, uses in self._found for name in uses.imports if _may_be(name, module)]
        are_beside = all(self.folders.get(other) == folder and name == module for other, _, name in found)
        is_whole = any(module in uses.stars for _, uses, _ in found)
        is_of_scripts = any(uses.is_script for _, uses, _ in found)
        return folder is not None and is_of_scripts and are_beside and not is_whole

    @cached_property
    def scripts(self) -> frozenset[str]:
        """The modules that are programs, and that no other module imports, as far as the names tell."""
        return frozenset(module for module, uses in self._found if uses.is_script and self._is_run_alone(module))

    def is_of_program(self, module: str, where: str) -> bool:
        """Whether only the module itself runs its code at a place: nobody imports it, or the function around."""
        if module in self.scripts:
            return True
        if not where:
            return self._is_run_alone(module)
        uses = self.program.find(module)
        return uses is not None and uses.is_script and not self.is_imported(module, where.partition(".")[0])

    def _is_run_alone(self, script: str) -> bool:
        """Whether no other module imports one, as far as the names tell."""
        if script not in self._run_alone:
            others = (uses.imports for module, uses in self._found if module != script)
            self._run_alone[script] = not any(_may_be(name, script) for names in others for name in names)
        return self._run_alone[script]

    @cached_property
    def _found(self) -> list[tuple[str, ModuleUses]]:
        found = ((module, self.program.find(module)) for module in sorted(self.modules))
        return [(module, uses) for module, uses in found if uses is not None]

    @cached_property
    def _packages(self) -> frozenset[str]:
        """The modules that have others below them."""
        return frozenset(name.rpartition(".")[0] for name in self.modules)

    @cached_property
    def _imported(self) -> frozenset[str]:
        """The full names that modules import."""
        shown = (uses for module, uses in self._found if not naming.is_test_module(module))
        return frozenset(text for uses in shown for text in uses.names.values())

    @cached_property
    def _offered(self) -> frozenset[str]:
        """The full names that packages import from their own modules."""
        packages = ((module, uses) for module, uses in self._found if module in self._packages)
        found = ((module, text) for module, uses in packages for text in uses.names.values())
        return frozenset(text for module, text in found if text.startswith(f"{module}."))

    @cached_property
    def _handed_on(self) -> frozenset[str]:
        """The modules whose names the package around them has: `from . import solvers`, `from .solvers import *`."""
        found = ((module, (*uses.names.values(), *uses.stars)) for module, uses in self._found)
        return frozenset(name for module, names in found for name in names if name.startswith(f"{module}."))

    @cached_property
    def _names(self) -> frozenset[str]:
        """The last names of all functions and classes of the program."""
        names = (name for _, uses in self._found for name in (*uses.functions, *uses.bases))
        return frozenset(map(last_name, names))

    @cached_property
    def _resolved(self) -> _Resolved:
        by_name: dict[str, list[Place]] = {}
        unknown = {name for _, uses in self._found for name in uses.unknown}
        unresolved: dict[str, list[Place]] = {}
        asked: list[Place] = []
        for module, use in ((module, use) for module, uses in self._found for use in uses.uses):
            is_unseen = use.what.startswith(_UNSEEN)
            is_run = use.is_call or use.is_compiled
            if is_unseen and use.may_be and self._is_asked(module, use):
                asked.append(Place(module, use))
            if is_unseen or (not is_run and last_name(use.what) not in self._names):
                continue  # most attributes
            defined = self._definition(use.what, module)
            if defined is None and is_run:
                defined = self._definition(f"{use.what}.{CALL}", module)  # of an object
            if defined is not None:
                by_name.setdefault(defined, []).append(Place(module, use))
                continue
            asked += [Place(module, use)] if self._is_asked(module, use) else []
            if (name := _attribute_of_object(use.what)) in self._names:
                unresolved.setdefault(name, []).append(Place(module, use))
        one_of: dict[str, list[tuple[Place, frozenset[str]]]] = {}
        calls = {name: [place for place in places if self._is_shown_by(place)] for name, places in by_name.items()}
        meant = {Place(*used): methods for used, methods in meant_by(asked, calls, self.program.find)}
        for place, methods in meant.items():
            name = last_name(place.use.what)
            if place in unresolved.get(name, ()):
                unresolved[name] = [other for other in unresolved[name] if other != place]
            for method in methods:
                if len(methods) == 1:
                    by_name.setdefault(method, []).append(place)
                else:
                    one_of.setdefault(method, []).append((place, methods))
        unresolved = {name: places for name, places in unresolved.items() if places}
        return _Resolved(by_name, one_of, meant, frozenset(unknown), unresolved)

    @cached_property
    def class_meant(self) -> Callable[[str], str | None]:
        """Of which class the object is that a text of `several` stands for, by what the calls of the program give."""
        found = self._resolved.by_name.items()
        calls = {name: [place for place in places if self._is_shown_by(place)] for name, places in found}
        return classes_meant(calls, self.program.find)

    def _is_asked(self, module: str, use: Use) -> bool:
        """Whether a use may be of a method of the program, which runs there."""
        return (use.is_call or use.is_compiled) and last_name(use.what) in self._names and not self._is_test(module)

    def _is_shown_by(self, place: Place) -> bool:
        """Whether a call shows what the program gives a function."""
        return place.use.is_call and not self._is_test(place.module)

    def _is_test(self, module: str) -> bool:
        return module in self.tests or naming.is_test_module(module)

    def _definition(self, text: str, module: str) -> str | None:
        """What a text of a module stands for; a script imports modules from its own folder, too."""
        folder = module.rpartition(".")[0]
        found = self.program.definition(text)
        return self.program.definition(f"{folder}.{text}") if found is None and folder else found

    @cached_property
    def _perhaps(self) -> Mapping[str, list[Place]]:
        found: dict[str, list[Place]] = {}
        for module, uses in self._found:
            for use in uses.uses:
                name = last_name(use.what)
                if use.what.startswith(_UNSEEN) and name in self._names:
                    found.setdefault(name, []).append(Place(module, use))
        for method, places in self._resolved.unresolved.items():
            found.setdefault(method, []).extend(place for place in places if self._is_of_unshown(place))
        for method, places in self._resolved.by_name.items():
            cls, _, name = method.rpartition(".")
            if any(last_name(base) == _PROTOCOL for base in self.bases(cls)):
                found.setdefault(name, []).extend(places)  # an object of any class may be meant
        return found

    def _is_of_unshown(self, place: Place) -> bool:
        """Whether a method is called on what an object of the program holds, and nothing shows what that is."""
        owner, _, attribute = place.use.what.rpartition(".")[0].rpartition(".")
        cls = self.program.class_of(owner) if attribute.isidentifier() else None
        return cls is not None and not self.program.shows(cls, attribute)

    @cached_property
    def _used(self) -> Mapping[str, list[tuple[str, Use]]]:
        found: dict[str, list[tuple[str, Use]]] = {}
        for module, use in ((module, use) for module, uses in self._found for use in uses.uses if use.where):
            named = self._definition(use.what, module) or use.what
            found.setdefault(f"{module}.{use.where}", []).append((named, use))
        return found

    @cached_property
    def _constructions(self) -> Mapping[str, list[Place]]:
        found: dict[str, list[Place]] = {}
        for name, places in self._resolved.by_name.items():
            uses, inner = self.program.split(name)
            if uses is not None and inner in uses.bases:
                for cls in self.program.lineage(name):
                    found.setdefault(cls, []).extend(places)
        return found


def last_name(full_name: str) -> str:
    return full_name.rpartition(".")[2]


def _attribute_of_object(text: str) -> str:
    """The last attribute in a text, if it is one of an object, which is made by a call or an element of another."""
    return last_name(text) if "()" in text or "[]" in text else ""


def _may_be(name: str, module: str) -> bool:
    """Whether an imported name may be a module: a script's folder is on the path of imports, or the one above it."""
    return name == module or module.endswith(f".{name}") or name.endswith(f".{module}")
