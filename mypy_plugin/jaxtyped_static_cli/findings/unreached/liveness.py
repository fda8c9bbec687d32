"""Which code of an application runs: what its scripts and tests mention, and what that mentions, by the names alone.

Names decide, not what they stand for: too much counts as mentioned, and never too little.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from .bases import Bases
from .code import LOADED, LOCAL, Code, Unit, Words

# Modules that run by themselves, by their names.
_STARTED: Final = frozenset({"__main__", "conf", "conftest", "setup"})
# What finds code of its own module by a name that is made at run time.
LOOKING_INSIDE: Final = frozenset({"eval", "exec", "globals", "locals"})
_STARTING_ALL: Final = frozenset({"Fire"})  # every function of a module, by its name
# What finds modules by such names; where it also gets attributes by such, nothing shows what is used.
FINDING_MODULES: Final = frozenset(
    {"__import__", "import_module", "iter_modules", "run_module", "run_path", "spec_from_file_location"}
    | {"walk_packages"}
)
INSTANTIATING: Final = frozenset({"instantiate"})  # by a name in a configuration: hydra


class Module(NamedTuple):
    """A module of the project."""

    name: str
    code: Code
    is_root: bool  # tests and examples, which somebody runs, what users import, and what is not checked
    may_begin: bool = True  # it is no test and no example

    @property
    def stem(self) -> str:
        """What imports name it by."""
        return self.name.rpartition(".")[2]


_Key = tuple[str, str, str]  # of a unit: module, class and name


@dataclass(eq=False)
class Liveness:
    """One project. `beside`: the words of its other files."""

    modules: Mapping[str, Module]
    beside: frozenset[str]
    _live: set[_Key] = field(default_factory=set, init=False)
    _known: dict[str, Words] = field(default_factory=dict, init=False)  # of the live units of each module
    _anywhere: Words = field(default=Words(), init=False)  # of all live units
    _within_reach: dict[str, frozenset[str]] = field(default_factory=dict, init=False)

    def is_dead(self, module: str, name: str = "", cls: str = "") -> bool:
        """Whether nothing runs a function, class or method, or, without a name, the module."""
        return self._is_decided and (module, cls, name) not in self._live

    def is_unmentioned(self, module: str, name: str) -> bool:
        """Whether no code that may mean a function of a module has its name, although the module runs."""
        known = self.modules.get(module)
        if known is None or not self._is_decided:
            return False
        return name not in self._mentioned_for(known) and not self._is_searched(known)

    @cached_property
    def _is_decided(self) -> bool:
        """Whether names tell what runs: the project has a beginning, and all that is used has a name somewhere."""
        if not any(module.may_begin and module.code.begins for module in self.modules.values()):
            return False
        self._spread()
        if self._anywhere.have_any(INSTANTIATING):
            return False
        return not any(words.looked_in and words.have_any(FINDING_MODULES) for words in self._known.values())

    def _is_own(self, imported: str) -> bool:
        """Whether an imported name is of the project, as far as the name tells."""
        return imported.startswith(".") or imported.partition(".")[0] in self._roots

    def _spread(self) -> None:
        """Finds what runs, step by step."""
        waiting = [(module, unit) for module in self.modules.values() for unit in module.code.units]
        while True:
            answers = [(self._is_live(module, unit), module, unit) for module, unit in waiting]
            if not any(is_live for is_live, _, _ in answers):
                return
            for module, unit in ((module, unit) for is_live, module, unit in answers if is_live):
                self._live.add((module.name, unit.cls, unit.name))
                self._known[module.name] = self._known.get(module.name, Words()).joined(unit.words)
            waiting = [(module, unit) for is_live, module, unit in answers if not is_live]
            self._anywhere = self._anywhere.joined(*self._known.values())
            self._within_reach.clear()

    def _is_live(self, module: Module, unit: Unit) -> bool:
        if module.is_root:
            return True
        if not unit.name:
            return self._is_run(module)
        if unit.is_replaced or (module.name, "", "") not in self._live:
            return False
        if unit.cls:
            return (module.name, "", unit.cls) in self._live and self._is_live_method(module, unit)
        if unit.is_kept or (unit.is_class and self.bases.are_keeping(unit)):
            return True
        return unit.name in self._mentioned_for(module) or self._is_searched(module)

    def _is_run(self, module: Module) -> bool:
        """Whether a module runs: it is a script, or code that runs names it."""
        if module.code.is_script or module.stem in _STARTED or module.stem in self.beside:
            return True
        others = (words for name, words in self._known.items() if name != module.name)
        return any(_names(words, module.stem) or words.have_any(LOADED.keys()) for words in others)

    def _is_live_method(self, module: Module, unit: Unit) -> bool:
        if unit.is_kept or unit.name in self.beside or self.bases.are_calling(unit.cls):
            return True
        if unit.name in self._anywhere.attributes or unit.name in self._anywhere.texts:
            return True
        is_found = any(name.startswith(LOCAL) or self._is_own(name) for name in self._anywhere.looked_in)
        return is_found or unit.name in self._known[module.name].names

    @cached_property
    def _roots(self) -> frozenset[str]:
        return frozenset(part for name in self.modules for part in (name.partition(".")[0], name.rpartition(".")[2]))

    def _is_searched(self, module: Module) -> bool:
        """Whether code may find any function of a module."""
        own = self._known.get(module.name, Words())
        if not LOOKING_INSIDE.isdisjoint(own.names) or own.have_any(_STARTING_ALL):
            return True
        return any(names_module(name, module) for name in self._anywhere.looked_in)

    def _mentioned_for(self, module: Module) -> frozenset[str]:
        """The words by which code that runs may mean what a module defines: its own, and those of what imports it."""
        if module.name not in self._within_reach:
            own = self._known.get(module.name, Words())
            others = [self._known[name] for name in self._importers(module)]
            words = (part for other in others for part in (other.names, other.attributes))
            self._within_reach[module.name] = own.names.union(self.beside, self._anywhere.texts, *words)
        return self._within_reach[module.name]

    def _importers(self, module: Module) -> set[str]:
        """The modules that name one, or another that names it, and so on: what they have of it, they may hand on."""
        found, pending = set[str](), [module.stem]
        while pending:
            stem = pending.pop()
            more = {name for name, words in self._known.items() if name not in found and _names(words, stem)}
            found |= more
            pending += {name.rpartition(".")[2] for name in more}
        return found

    @cached_property
    def bases(self) -> Bases:
        return Bases([unit for module in self.modules.values() for unit in module.code.units])


def _names(words: Words, stem: str) -> bool:
    return words.have(stem) or words.have_any(FINDING_MODULES)


def names_module(looked_in: str, module: Module) -> bool:
    """Whether what code gets an attribute of, by a name made at run time, may be a module."""
    return looked_in.removeprefix(LOCAL).rpartition(".")[2] == module.stem
