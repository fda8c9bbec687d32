"""Functions and classes of a package that no code uses, and that are there for its own code.

They are private, or other modules import them, and do nothing else with them. What nothing mentions may be there for
users: libraries have many such functions. What tests, examples, notebooks or texts mention is used.
"""

from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property

from jaxtyped_static_mypy.knowledge import naming

from .bases import Bases
from .code import Code, Unit
from .liveness import FINDING_MODULES, INSTANTIATING, LOOKING_INSIDE, Module, names_module


@dataclass(eq=False)
class Unused:
    """One project. `beside`: the words of its other files."""

    modules: Mapping[str, Module]
    beside: Collection[str]
    bases: Bases
    _known: dict[tuple[str, str], bool] = field(default_factory=dict, init=False)

    def has(self, module: str, unit: Unit) -> bool:
        """Whether nothing uses the function or class of a module that a unit is, or is in."""
        name = unit.cls or unit.name
        known = self.modules.get(module)
        if not name or known is None or not self._is_decided:
            return False
        if (module, name) not in self._known:
            self._known[module, name] = self._is_unused(known, name)
        return self._known[module, name]

    def _is_unused(self, module: Module, name: str) -> bool:
        own = [unit for unit in module.code.units if name == unit.name and not unit.cls]
        if any(unit.is_kept or (unit.bases and self.bases.find_subclasses) for unit in own):
            return False
        if name in self.beside or self._is_searched(module):
            return False
        if not (naming.is_private(name) or self._is_imported(module, name)):
            return False
        return not any(
            name in unit.words.mentioned
            for other in self.modules.values()
            for unit in other.code.units
            if not (other is module and name in (unit.name, unit.cls))
        )

    def _is_imported(self, module: Module, name: str) -> bool:
        """Whether another module imports a name of that of this one."""
        others = (unit for other in self.modules.values() if other is not module for unit in other.code.units)
        return any(name in unit.words.imported and unit.words.have(module.stem) for unit in others)

    def _is_searched(self, module: Module) -> bool:
        """Whether code may find any name of a module."""
        if _has_any(module.code, LOOKING_INSIDE):
            return True
        return any(names_module(found, module) for other in self.modules.values() for found in _looked_in(other.code))

    @cached_property
    def _is_decided(self) -> bool:
        """Whether names tell what is used."""
        return not any(
            _has_any(module.code, INSTANTIATING)
            or (_has_any(module.code, FINDING_MODULES) and any(_looked_in(module.code)))
            for module in self.modules.values()
        )


def _looked_in(code: Code) -> Iterator[str]:
    """Of what a module gets attributes by names that are made at run time."""
    return (found for unit in code.units for found in unit.words.looked_in)


def _has_any(code: Code, words: AbstractSet[str]) -> bool:
    return any(unit.words.have_any(words) for unit in code.units)
