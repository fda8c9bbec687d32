"""Generates random programs, mostly without a fault: edits bring in the faults that must be noticed.

Modules import from earlier ones, and references between declarations are acyclic, because mypy has its own limits where
everything depends on everything. Edits may still create cycles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from tests.fuzz.histories.grammar import sort_of
from tests.fuzz.histories.model import STYLES, Declaration, Import, Module, Program
from tests.fuzz.histories.vocabulary import HOLDING, KINDS, PROVIDERS

MODULE_NAMES: Final = ("alpha", "beta", "gamma", "delta", "pkg.inner", "pkg.outer", "pkg")
_ROOTS: Final = ("jitted", "jitted", "user", "user", "jitted elsewhere", "registration", "top level", "dataclass")
_MOST_DECLARATIONS: Final = 16
_ODD: Final = 0.04  # the share of features that start with an alternative other than the first
_SHARING: Final = ("type", "class", "maker", "value")  # slots that copy how the function they refer to is declared


def random_program(random: Random) -> Program:
    names = random.sample(MODULE_NAMES, random.randint(2, 5))
    program = Program(tuple(Module(name) for name in names))
    for root in random.sample(_ROOTS, random.randint(3, 5)):
        program = with_new(program, root, random)
    for name in names:
        program = _with_random_imports(program, name, random)
    return program


def with_new(program: Program, kind: str, random: Random) -> Program:
    """Returns the program with one more declaration, and the declarations that it needs."""
    declaration = _new(program, kind, random)
    return bind(_placed(program, declaration, program.modules, random), declaration.name, random)


def _new(program: Program, kind: str, random: Random, typ: str | None = None) -> Declaration:
    """Makes a declaration. `typ`: what its slot `type` refers to."""
    name = f"{kind.title().replace(' ', '')}{len(program.homes()) + 1}"
    return Declaration(name, kind, random_choices(kind, random), {"type": typ} if typ else {})


def _placed(program: Program, declaration: Declaration, modules: Sequence[Module], random: Random) -> Program:
    """Puts a declaration into one of the modules, sometimes into a class."""
    module = random.choice(modules)
    outer = [one.name for one in module.declarations if one.kind in HOLDING]
    if outer and "class" in declaration.grammar.sorts and random.random() < 0.2:
        declaration = replace(declaration, inside=random.choice(outer))
    return program.with_module(module.with_declaration(declaration))


def bind(program: Program, name: str, random: Random) -> Program:
    """Fills the open slots of a declaration with references to new or existing declarations."""
    slots = program.declaration(name).open_slots()
    for slot in sorted(slots, key=lambda slot: sort_of(slot) in _SHARING):
        program = _with_target(program, name, slot, random)
    return program


def random_choices(kind: str, random: Random) -> Mapping[str, int]:
    return {
        feature: random.randrange(len(alternatives)) if random.random() < _ODD else 0
        for feature, alternatives in KINDS[kind].features.items()
    }


def random_import(program: Program, importer: str, home: str, random: Random) -> Import:
    """Returns a random import, sometimes through a third module."""
    names = [module.name for module in program.modules]
    first, last = (names.index(name) if name in names else 0 for name in (home, importer))
    return Import(random.choice(STYLES), random.choice([None, None, *names[first + 1 : last]]))


def _with_target(program: Program, name: str, slot: str, random: Random) -> Program:
    """Makes a slot refer to something, unless the program is large enough and has nothing suitable."""
    user, sort = program.declaration(name), sort_of(slot)
    typ, last = _type_of_what_it_goes_to(program, user), _position(program, name)
    fitting = _fitting(program, sort, name, last)
    if sort in _SHARING and typ is not None:
        same = [one for one in fitting if typ == (one.name if sort in ("type", "class") else one.slots.get("type"))]
        if same:
            return program.with_declaration(user.referring(slot, random.choice(same).name))
    is_full = len(program.homes()) >= _MOST_DECLARATIONS
    if fitting and (is_full or random.random() < 0.5):
        return program.with_declaration(user.referring(slot, random.choice(fitting).name))
    if is_full:
        return program
    new = _new(program, random.choice(PROVIDERS[sort]), random, typ)
    program = _placed(program, new, program.modules[: last + 1], random)
    # The reference is added first, so that the new declaration does not refer back to it.
    return bind(program.with_declaration(user.referring(slot, new.name)), new.name, random)


def _type_of_what_it_goes_to(program: Program, user: Declaration) -> str | None:
    called = {user.slots.get(slot) for slot in ("jitted", "function")}
    found = next((one for _, one in program.declarations() if one.name in called), None)
    if found is None:
        return None
    return found.slots.get("type") or _type_of_what_it_goes_to(program, found)


def _fitting(program: Program, sort: str, user: str, last: int) -> list[Declaration]:
    """Returns the declarations of a sort that the user can see and that do not refer to it."""
    slots = {one.name: one.references() for _, one in program.declarations()}
    seen = {module.name for module in program.modules[: last + 1]}
    return [
        one
        for module, one in program.declarations()
        if sort in one.grammar.sorts and module.name in seen and not _refers(one.name, user, slots)
    ]


def _refers(name: str, other: str, references: Mapping[str, list[str]]) -> bool:
    """Returns whether a declaration is the other one, or refers to it directly or indirectly."""
    todo, seen = [name], {name}
    while todo:
        found = set(references.get(todo.pop(), ())) - seen
        seen |= found
        todo += found
    return other in seen


def _position(program: Program, name: str) -> int:
    return next(at for at, module in enumerate(program.modules) if any(one.name == name for one in module.declarations))


def _with_random_imports(program: Program, name: str, random: Random) -> Program:
    module, homes = program.module(name), program.homes()
    names = dict.fromkeys(name for one in module.declarations for name in one.references() if name in homes)
    imports = {
        name: random_import(program, module.name, homes[name], random) for name in names if random.random() < 0.5
    }
    lists_exports, answers_any = random.random() < 0.1, random.random() < 0.03
    return program.with_module(replace(module, imports=imports, lists_exports=lists_exports, answers_any=answers_any))
