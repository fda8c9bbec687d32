"""A program as its author thinks of it: modules, their declarations, and how each module imports what it uses.

Everything is immutable, so the states of a history share what an edit leaves unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tests.fuzz.histories.grammar import Kind
from tests.fuzz.histories.vocabulary import KINDS


@dataclass(frozen=True)
class Declaration:
    """One of the `KINDS`, with the chosen alternatives and the names that its slots refer to."""

    name: str
    kind: str
    chosen: Mapping[str, int] = field(default_factory=dict)
    slots: Mapping[str, str] = field(default_factory=dict)
    inside: str | None = None  # the class of the same module that it is nested in

    @property
    def grammar(self) -> Kind:
        return KINDS[self.kind]

    def open_slots(self) -> list[str]:
        """Returns the slots of the current text that refer to nothing yet."""
        return [slot for slot in self.grammar.slots(self.chosen) if slot not in self.slots]

    def references(self) -> list[str]:
        return [self.slots[slot] for slot in self.grammar.slots(self.chosen) if slot in self.slots]

    def referring(self, slot: str, name: str) -> Declaration:
        return replace(self, slots={**self.slots, slot: name})


@dataclass(frozen=True)
class Import:
    """How a module imports a name: in one of the `STYLES`, possibly through another module that re-exports it."""

    style: str = "from"
    through: str | None = None


PLAIN_IMPORT: Final = Import()
STYLES: Final = ("from", "renamed", "module", "module renamed", "star", "guarded", "tried", "relative")


@dataclass(frozen=True)
class Module:
    name: str  # dotted
    declarations: tuple[Declaration, ...] = ()
    imports: Mapping[str, Import] = field(default_factory=dict)  # by the name of the declaration
    suffixes: tuple[str, ...] = (".py",)
    lists_exports: bool = False  # whether it has an `__all__`
    answers_any: bool = False  # whether it has a `__getattr__`
    lines_above: int = 0  # comments that shift all lines

    def without(self, name: str) -> Module:
        kept = (one for one in self.declarations if one.name != name)
        return replace(
            self, declarations=tuple(replace(one, inside=None) if one.inside == name else one for one in kept)
        )

    def with_declaration(self, declaration: Declaration) -> Module:
        """Replaces the declaration of that name, or adds it at the end."""
        changed = tuple(declaration if one.name == declaration.name else one for one in self.declarations)
        return replace(self, declarations=changed if declaration in changed else (*changed, declaration))


@dataclass(frozen=True)
class Program:
    modules: tuple[Module, ...]
    removed: Mapping[str, str] = field(default_factory=dict)  # declaration → the module it was in
    settings: str = ""  # of the plugin, as TOML

    def declarations(self) -> Iterator[tuple[Module, Declaration]]:
        for module in self.modules:
            for declaration in module.declarations:
                yield module, declaration

    def homes(self) -> dict[str, str]:
        """Returns each declaration's current or last module."""
        return {**self.removed, **{declaration.name: module.name for module, declaration in self.declarations()}}

    def module(self, name: str) -> Module:
        return next(module for module in self.modules if module.name == name)

    def declaration(self, name: str) -> Declaration:
        return next(one for _, one in self.declarations() if one.name == name)

    def with_declaration(self, declaration: Declaration) -> Program:
        """Replaces the declaration of that name."""
        home = self.module(self.homes()[declaration.name])
        return self.with_module(home.with_declaration(declaration))

    def with_module(self, module: Module) -> Program:
        """Replaces the module of that name, or adds it at the end."""
        changed = tuple(module if one.name == module.name else one for one in self.modules)
        return replace(self, modules=changed if module in changed else (*changed, module))

    def without_module(self, name: str) -> Program:
        kept = tuple(module for module in self.modules if module.name != name)
        return replace(self, modules=kept, removed=self.homes())

    def without_declaration(self, name: str) -> Program:
        return replace(self, modules=tuple(module.without(name) for module in self.modules), removed=self.homes())


History = tuple[Program, ...]  # the states, in the order of checking
