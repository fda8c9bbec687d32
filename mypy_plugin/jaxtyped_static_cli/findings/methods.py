"""Which methods a program calls for sure, of objects that may be of several classes."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from jaxtyped_static_mypy.facts.method_facts import MAKING
from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.reach.program import Uses

from .functions import PROPERTIES, ProgramFunctions
from .places import CALL, Place, last_name


@dataclass(frozen=True, eq=False)
class ProgramMethods(ProgramFunctions):
    """The methods of a program, and where it means which of them."""

    compiling: frozenset[str] = frozenset()  # the functions of which a finding asks whether they run outside of jit

    def certain_uses(self, function: str) -> Uses[Place]:
        """The calls of a method on objects of its class, and those in methods of the bases on `self`.

        None of one that a class below replaces, unless those of all classes there compile like this one: the objects
        may be of each. A module that hands a function on may have replaced it by a compiled one, as in
        `step = wrapped(step)`, so its calls are not certain.
        """
        found, facts = self.uses(function), self._facts(function)
        if facts is None or last_name(function) in MAKING:
            return found
        if not facts.cls:
            handing = {place.module for place in found.handed_on if not self._is_of_batches(place, function)}
            calls = [place for place in found.calls if place.module not in handing]
            return found if self._split(function)[0] in handing else found._replace(calls=calls, handed_on=[])
        cls, name = f"{self._split(function)[0]}.{facts.cls}", last_name(function)
        lineage = list(self.program.lineage(cls))
        shared = [f"{base}.{name}" for base in lineage if self._all_compile(self._methods_below(base, name), function)]
        certain = {place for method in (function, *shared) for place in self._places.of(method)}
        several = self._places.one_of(function)
        certain.update(place for place, methods in several if self._all_compile(methods, function))
        calls = [place for place in found.calls if place in certain or self._class_around(place) in lineage]
        calls += [place for place in found.perhaps if place in certain]
        is_open = self._may_be_compiled(name) if self._is_plain(function) else found.is_open
        is_open = is_open and name != CALL  # each of the objects that are called shows its class
        is_open = is_open or (self._is_replaced(cls, name) and function not in shared)
        return found._replace(calls=calls, is_open=is_open)

    def _is_of_batches(self, place: Place, function: str) -> bool:
        """Whether the module of a function makes another one of it at a place, for batches: its file shows how."""
        is_of_module = place.module == self._split(function)[0] and not place.use.where
        return function in self.compiling and is_of_module and place.use.is_batched

    def compiles_method(self, module: str, line: int, name: str) -> bool:
        """Whether what a module has compiled at a line is a method of objects of the program, whichever these are."""
        found = self._places.compiled_at(module, line, name)
        return bool(found) and all(map(self._is_bound, found))

    def _is_bound(self, method: str) -> bool:
        """Whether objects have a method that each access binds anew."""
        facts = self._facts(method)
        is_method = facts is not None and bool(facts.cls) and not facts.is_replaced
        return is_method and facts is not None and not any(map(_binds_nothing, facts.decorators))

    def _is_plain(self, method: str) -> bool:
        """Whether nothing but a call by its name runs a method."""
        facts = self._facts(method)
        decorators = facts.decorators if facts is not None else ()
        return not naming.is_special(last_name(method)) and not any(
            last_name(name) in PROPERTIES for name in decorators
        )

    def _may_be_compiled(self, method: str) -> bool:
        """Whether the program hands a method of a name to JAX, or on, where it may be of any object."""
        unresolved = self._places.unresolved(method)
        return self._places.is_read_uncalled(method) or not all(place.use.is_call for place in unresolved)

    def _all_compile(self, methods: Collection[str], function: str) -> bool:
        """Whether each of some methods, this one among them, compiles something outside of jit, as this one does."""
        return function in methods and all(method == function or self._compiles(method) for method in methods)

    def _compiles(self, function: str) -> bool:
        """Whether a function compiles something outside of jit, or one that it calls."""
        if function not in self._compile:
            self._compile[function] = function in self.compiling  # while those are asked that it calls
            called = (name for name, use in self._places.uses_in(function) if use.is_call and not use.is_traced)
            self._compile[function] = function in self.compiling or any(map(self._compiles, called))
        return self._compile[function]

    @cached_property
    def _compile(self) -> dict[str, bool]:
        return {}

    def _methods_below(self, cls: str, name: str) -> frozenset[str]:
        """What a method of a name is in the classes at and below one of which the program makes objects, or may."""
        made = (
            below for below in self._classes_below.get(cls, ()) if any(map(self._is_made_by, self._places.of(below)))
        )
        found = (self.program.definition(f"{below}().{name}") for below in made)
        return frozenset(method for method in found if method is not None)

    def _is_made_by(self, place: Place) -> bool:
        return not self._is_in_test(place.module, place.use.where)


def _binds_nothing(decorator: str) -> bool:
    return last_name(decorator) in {*PROPERTIES, "staticmethod"} or naming.compiles(decorator)
