"""The smallest history that still shows a disagreement: fewer states, modules and declarations, plainer ones."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from tests.fuzz.histories.model import PLAIN_IMPORT, Declaration, History, Module, Program
from tests.fuzz.histories.rendering import files_of

T = TypeVar("T")
Change = Callable[[T], T]
Fails = Callable[[Sequence[History]], list[bool]]  # of each history, whether it shows what is looked for


def shrunk(history: History, fails: Fails, together: int = 40) -> History:
    """Takes the first smaller history that fails, and begins again; candidates are checked many at once."""
    while True:
        candidates = _different(_smaller(history), history)
        for start in range(0, len(candidates), together):
            batch = candidates[start : start + together]
            found = next((one for one, failed in zip(batch, fails(batch), strict=True) if failed), None)
            if found is not None:
                history = found
                break
        else:
            return history


def _different(candidates: Iterator[History], history: History) -> list[History]:
    """Those whose files are neither those of the history nor of another candidate."""
    by_text = {_texts(history): history}
    for candidate in candidates:
        by_text.setdefault(_texts(candidate), candidate)
    return list(by_text.values())[1:]


def _texts(history: History) -> Hashable:
    return tuple((program.settings, *sorted(files_of(program).items())) for program in history)


def _smaller(history: History) -> Iterator[History]:
    """The largest steps first."""
    for at in range(len(history) - 1, -1, -1):
        if len(history) > 2:
            yield history[:at] + history[at + 1 :]
    yield tuple(replace(program, settings="") for program in history)
    for name in _names(module.name for program in history for module in program.modules):
        yield tuple(_without_module(program, name) for program in history)
    for name in _names(one.name for program in history for _, one in program.declarations()):
        yield tuple(_without_declaration(program, name) for program in history)
    yield from _plainer_modules(history)
    yield from _plainer_declarations(history)


def _names(names: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _without_module(program: Program, name: str) -> Program:
    return replace(program, modules=tuple(module for module in program.modules if module.name != name))


def _without_declaration(program: Program, name: str) -> Program:
    """What referred to it refers to nothing."""
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


def _plainer_modules(history: History) -> Iterator[History]:
    modules = [module for program in history for module in program.modules]
    for name in _names(module.name for module in modules):
        changes: list[Change[Module]] = [_without_imports, _as_source, _without_extras]
        imported = _names(one for module in modules if module.name == name for one in module.imports)
        for change in changes + [partial(_with_plain_import, imported=one) for one in imported]:
            yield _with_modules(history, name, change)


def _without_imports(module: Module) -> Module:
    return replace(module, imports={})


def _as_source(module: Module) -> Module:
    return replace(module, suffixes=(".py",))


def _without_extras(module: Module) -> Module:
    return replace(module, lists_exports=False, answers_any=False, lines_above=0)


def _with_plain_import(module: Module, imported: str) -> Module:
    return replace(module, imports={**module.imports, imported: PLAIN_IMPORT})


def _plainer_declarations(history: History) -> Iterator[History]:
    """The first alternative of a feature, in all states; a slot that refers to nothing."""
    declarations = [one for program in history for _, one in program.declarations()]
    for name in _names(one.name for one in declarations):
        same = [one for one in declarations if one.name == name]
        features = _names(feature for one in same for feature, chosen in one.chosen.items() if chosen)
        slots = _names(slot for one in same for slot in one.slots)
        changes: list[Change[Declaration]] = [_at_top_level]
        changes += [partial(_with_first, feature=feature) for feature in features]
        changes += [partial(_without_slot, slot=slot) for slot in slots]
        for change in changes:
            yield _with_declarations(history, name, change)


def _at_top_level(declaration: Declaration) -> Declaration:
    return replace(declaration, inside=None)


def _with_first(declaration: Declaration, feature: str) -> Declaration:
    return replace(declaration, chosen={**declaration.chosen, feature: 0})


def _without_slot(declaration: Declaration, slot: str) -> Declaration:
    return replace(declaration, slots={name: target for name, target in declaration.slots.items() if name != slot})


def _with_modules(history: History, name: str, change: Change[Module]) -> History:
    return tuple(
        replace(program, modules=tuple(change(one) if one.name == name else one for one in program.modules))
        for program in history
    )


def _with_declarations(history: History, name: str, change: Change[Declaration]) -> History:
    def changed(module: Module) -> Module:
        return replace(
            module, declarations=tuple(change(one) if one.name == name else one for one in module.declarations)
        )

    return tuple(replace(program, modules=tuple(map(changed, program.modules))) for program in history)
