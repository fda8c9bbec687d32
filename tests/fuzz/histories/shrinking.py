"""Finds the smallest history that still shows a disagreement: fewer states, modules and declarations, plainer ones."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TypeVar

from tests.fuzz.histories.model import PLAIN_IMPORT, Declaration, History, Module, Program
from tests.fuzz.histories.rendering import files_of

T = TypeVar("T")
Change = Callable[[T], T]
Fails = Callable[[Sequence[History]], list[bool]]  # for each history, whether it still shows the disagreement


def shrunk(history: History, fails: Fails) -> History:
    """Shrinks with few calls of `fails` and many candidates each: the cost of a run depends little on their number."""
    history = _with_fewest_states(history, fails)
    while (smaller := _plainer(history, fails)) is not None:
        history = smaller
    return history


def _with_fewest_states(history: History, fails: Fails) -> History:
    for count in range(2, len(history)):
        if failing := _failing(list(combinations(history, count)), fails):
            return failing[0]
    return history


def _plainer(history: History, fails: Fails) -> History | None:
    """Applies as many as possible of the single changes; None if none is possible."""
    by_text = {_texts(history): history}
    changes = {}
    for change in _changes(history):
        changed = _changed(history, [change])
        if by_text.setdefault(_texts(changed), changed) is changed:
            changes[id(changed)] = change
    candidates = list(by_text.values())[1:]
    possible = [changes[id(one)] for one in _failing(candidates, fails)]
    sizes = [size for size in (len(possible) >> shift for shift in range(8)) if size]
    together = [_changed(history, possible[:size]) for size in sizes]
    return next(iter([*_failing(together, fails), *together[-1:]]), None)


def _failing(candidates: Sequence[History], fails: Fails) -> list[History]:
    if not candidates:
        return []
    return [one for one, failed in zip(candidates, fails(candidates), strict=True) if failed]


def _changed(history: History, changes: Iterable[Change[Program]]) -> History:
    for change in changes:
        history = tuple(map(change, history))
    return history


def _texts(history: History) -> Hashable:
    return tuple((program.settings, *sorted(files_of(program).items())) for program in history)


def _changes(history: History) -> Iterator[Change[Program]]:
    """Yields possible changes, the largest first."""
    modules = [module for program in history for module in program.modules]
    declarations = [one for module in modules for one in module.declarations]
    yield _without_settings
    for name in _names(module.name for module in modules):
        yield partial(_without_module, name=name)
    for name in _names(one.name for one in declarations):
        yield partial(_without_declaration, name=name)
    for name in _names(module.name for module in modules):
        for module_change in _changes_of_module([module for module in modules if module.name == name]):
            yield partial(_with_modules, name=name, change=module_change)
    for name in _names(one.name for one in declarations):
        for change in _changes_of_declaration([one for one in declarations if one.name == name]):
            yield partial(_with_declarations, name=name, change=change)


def _changes_of_module(modules: Sequence[Module]) -> Iterator[Change[Module]]:
    yield from (_without_imports, _as_source, _without_extras)
    for imported in _names(one for module in modules for one in module.imports):
        yield partial(_with_plain_import, imported=imported)


def _changes_of_declaration(declarations: Sequence[Declaration]) -> Iterator[Change[Declaration]]:
    """Yields the first alternative of a feature, and slots without a reference."""
    yield _at_top_level
    for feature in _names(feature for one in declarations for feature, chosen in one.chosen.items() if chosen):
        yield partial(_with_first, feature=feature)
    for slot in _names(slot for one in declarations for slot in one.slots):
        yield partial(_without_slot, slot=slot)


def _names(names: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _without_settings(program: Program) -> Program:
    return replace(program, settings="")


def _without_module(program: Program, name: str) -> Program:
    return replace(program, modules=tuple(module for module in program.modules if module.name != name))


def _without_declaration(program: Program, name: str) -> Program:
    """Removes a declaration and the references to it."""
    kept = replace(program.without_declaration(name), removed={})
    modules = (
        replace(
            module,
            declarations=tuple(
                replace(one, slots={slot: target for slot, target in one.slots.items() if target != name})
                for one in module.declarations
            ),
        )
        for module in kept.modules
    )
    return replace(kept, modules=tuple(modules))


def _without_imports(module: Module) -> Module:
    return replace(module, imports={})


def _as_source(module: Module) -> Module:
    return replace(module, suffixes=(".py",))


def _without_extras(module: Module) -> Module:
    return replace(module, lists_exports=False, answers_any=False, lines_above=0)


def _with_plain_import(module: Module, imported: str) -> Module:
    return replace(module, imports={**module.imports, imported: PLAIN_IMPORT})


def _at_top_level(declaration: Declaration) -> Declaration:
    return replace(declaration, inside=None)


def _with_first(declaration: Declaration, feature: str) -> Declaration:
    return replace(declaration, chosen={**declaration.chosen, feature: 0})


def _without_slot(declaration: Declaration, slot: str) -> Declaration:
    return replace(declaration, slots={name: target for name, target in declaration.slots.items() if name != slot})


def _with_modules(program: Program, name: str, change: Change[Module]) -> Program:
    return replace(program, modules=tuple(change(one) if one.name == name else one for one in program.modules))


def _with_declarations(program: Program, name: str, change: Change[Declaration]) -> Program:
    def changed(module: Module) -> Module:
        found = (change(one) if one.name == name else one for one in module.declarations)
        return replace(module, declarations=tuple(found))

    return replace(program, modules=tuple(map(changed, program.modules)))
