"""Random edits: what somebody does to a program between two runs of mypy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from tests.fuzz.histories.generation import MODULE_NAMES, bind, random_choices, random_import, random_program, with_new
from tests.fuzz.histories.model import Declaration, History, Module, Program
from tests.fuzz.histories.vocabulary import HOLDING, KINDS, PROVIDERS

Edit = Callable[[Program, Random], Program]

_SETTINGS: Final = (
    "",
    "strict = true\n",
    "typed_jax_jit = true\n",
    'static_bases = ["abc.ABC"]\n',
    'static_types = ["functools.partial"]\n',
    'pytree_types = ["abc.ABC"]\n',
    'jit_functions = ["jax._src.ad_checkpoint.checkpoint"]\n',
)


def random_history(random: Random, settings: Sequence[str]) -> History:
    """Returns a program and its later states, which alternate between these settings.

    Some edits revert to an earlier state.
    """
    states = [random_program(random)]
    while len(states) < len(settings):
        if len(states) > 1 and random.random() < 0.15:
            states.append(random.choice(states[:-1]))
        else:
            states.append(edited(states[-1], random))
    return tuple(replace(state, settings=now) for state, now in zip(states, settings, strict=True))


def random_settings(random: Random, edits: int) -> list[str]:
    settings = [""]
    while len(settings) <= edits:
        settings.append(random.choice(_SETTINGS) if random.random() < 0.2 else settings[-1])
    return settings


def edited(program: Program, random: Random) -> Program:
    """Makes one edit, or a few that mypy sees at once."""
    for _ in range(random.choice((1, 1, 1, 1, 2, 3))):
        (edit,) = random.choices(list(_EDITS), list(_EDITS.values()))
        program = edit(program, random)
    return program


def _choose_alternative(program: Program, random: Random) -> Program:
    found = [one for one in _often_used_elsewhere(program, random) if one.grammar.features]
    if not found:
        return program
    declaration = random.choice(found)
    feature = random.choice(list(declaration.grammar.features))
    chosen = {**declaration.chosen, feature: random.randrange(len(declaration.grammar.features[feature]))}
    declaration = replace(declaration, chosen=chosen)
    return bind(program.with_declaration(declaration), declaration.name, random)


def _refer_to_another(program: Program, random: Random) -> Program:
    found = [one for _, one in program.declarations() if one.references()]
    if not found:
        return program
    declaration = random.choice(found)
    slot = random.choice([slot for slot in declaration.grammar.slots(declaration.chosen) if slot in declaration.slots])
    declaration = replace(declaration, slots={key: name for key, name in declaration.slots.items() if key != slot})
    return bind(program.with_declaration(declaration), declaration.name, random)


def _declare_as_another_kind(program: Program, random: Random) -> Program:
    """Replaces a declaration by one of another kind with the same name, which supports the same references."""
    declaration = _random_declaration(program, random)
    sorts = declaration.grammar.sorts
    kind = random.choice(PROVIDERS[random.choice(sorts)] if sorts else (declaration.kind,))
    inside = declaration.inside if "class" in KINDS[kind].sorts else None
    declaration = Declaration(declaration.name, kind, random_choices(kind, random), inside=inside)
    return bind(program.with_declaration(declaration), declaration.name, random)


def _add(program: Program, random: Random) -> Program:
    return with_new(program, random.choice(list(KINDS)), random)


def _remove(program: Program, random: Random) -> Program:
    return program.without_declaration(_random_declaration(program, random).name)


def _move(program: Program, random: Random) -> Program:
    """Moves a declaration, usually to a module between its references and its users, sometimes to a new one."""
    declaration = _random_declaration(program, random)
    if random.random() < 0.2:
        program = _with_new_module(program, random)
    at = {one.name: position for position, module in enumerate(program.modules) for one in module.declarations}
    first = max((at[name] for name in declaration.references() if name in at), default=0)
    last = min((at[one.name] for _, one in program.declarations() if declaration.name in one.references()), default=99)
    targets = program.modules[first : last + 1] if random.random() < 0.9 else program.modules
    target = random.choice(targets or program.modules).without(declaration.name)
    return program.without_declaration(declaration.name).with_module(
        target.with_declaration(replace(declaration, inside=None))
    )


def _rename(program: Program, random: Random) -> Program:
    """Renames a declaration, and sometimes the references to it."""
    declaration = _random_declaration(program, random)
    old, new = declaration.name, f"{declaration.name}New" if len(declaration.name) < 24 else declaration.name[:12]
    if new in program.homes():
        return program
    follows = random.random() < 0.7
    modules = tuple(
        replace(module, declarations=tuple(_renamed(one, old, new, follows=follows) for one in module.declarations))
        for module in program.modules
    )
    return replace(program, modules=modules, removed=program.homes())


def _renamed(declaration: Declaration, old: str, new: str, *, follows: bool) -> Declaration:
    slots = {slot: new if name == old and follows else name for slot, name in declaration.slots.items()}
    inside = new if declaration.inside == old else declaration.inside
    return replace(declaration, name=new if declaration.name == old else declaration.name, slots=slots, inside=inside)


def _nest(program: Program, random: Random) -> Program:
    """Moves a class into another class of its module, or out of it."""
    classes = [(module, one) for module, one in program.declarations() if "class" in one.grammar.sorts]
    if not classes:
        return program
    module, declaration = random.choice(classes)
    around = [
        one.name for one in module.declarations if one.kind in HOLDING and one != declaration and one.inside is None
    ]
    has_inner = any(one.inside == declaration.name for one in module.declarations)
    inside = random.choice(around) if declaration.inside is None and around and not has_inner else None
    return program.with_module(module.with_declaration(replace(declaration, inside=inside)))


def _import_otherwise(program: Program, random: Random) -> Program:
    module = random.choice(program.modules)
    names = [name for one in module.declarations for name in one.references()]
    if not names:
        return program
    name = random.choice(names)
    imports = {**module.imports, name: random_import(program, module.name, program.homes()[name], random)}
    return program.with_module(replace(module, imports=imports))


def _remove_module(program: Program, random: Random) -> Program:
    if len(program.modules) < 3:
        return program
    return program.without_module(random.choice(program.modules).name)


def _rename_module(program: Program, random: Random) -> Program:
    """Moves a module's file; imports of it are updated at once, as an editor does."""
    module, new = random.choice(program.modules), _new_name(program, random)
    moved = tuple(replace(one, name=new) if one is module else one for one in program.modules)
    return replace(program, modules=moved)


def _change_suffixes(program: Program, random: Random) -> Program:
    """Adds a stub beside a module or in its place, or removes one."""
    module = random.choice(program.modules)
    return program.with_module(replace(module, suffixes=random.choice([(".py",), (".py", ".pyi"), (".pyi",)])))


def _change_exports(program: Program, random: Random) -> Program:
    module = random.choice(program.modules)
    changed = (
        replace(module, lists_exports=not module.lists_exports)
        if random.random() < 0.7
        else replace(module, answers_any=not module.answers_any)
    )
    return program.with_module(changed)


def _shift_lines(program: Program, random: Random) -> Program:
    module = random.choice(program.modules)
    return program.with_module(replace(module, lines_above=random.randint(0, 3)))


def _often_used_elsewhere(program: Program, random: Random) -> list[Declaration]:
    """Prefers declarations that another module refers to, where edits must be noticed."""
    homes = program.homes()
    if random.random() < 0.7:
        used = {
            name
            for module, one in program.declarations()
            for name in one.references()
            if homes.get(name) != module.name
        }
    else:
        used = set(homes)
    return [one for _, one in program.declarations() if one.name in used]


def _random_declaration(program: Program, random: Random) -> Declaration:
    return random.choice([one for _, one in program.declarations()])


def _with_new_module(program: Program, random: Random) -> Program:
    at = random.randrange(len(program.modules) + 1)
    modules = (*program.modules[:at], Module(_new_name(program, random)), *program.modules[at:])
    return replace(program, modules=modules)


def _new_name(program: Program, random: Random) -> str:
    taken = {module.name for module in program.modules}
    return random.choice([name for name in MODULE_NAMES if name not in taken])


_EDITS: Final[dict[Edit, int]] = {
    _choose_alternative: 40,
    _refer_to_another: 8,
    _declare_as_another_kind: 8,
    _add: 6,
    _remove: 3,
    _move: 6,
    _rename: 3,
    _nest: 4,
    _import_otherwise: 6,
    _remove_module: 2,
    _rename_module: 2,
    _change_suffixes: 4,
    _change_exports: 4,
    _shift_lines: 4,
}
