"""Changes the decorator and the fields of a dataclass."""

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst
from libcst.helpers import get_full_name_for_node

from jaxtyped_static_mypy.classes.registering import WITH_REGISTER_DATACLASS
from jaxtyped_static_mypy.reporting.mechanical import COMPARE_BY_VALUE, COMPARE_FIELD
from jaxtyped_static_mypy.reporting.reading import offered, read_declaration

from ..editing.edits import Edit
from ..editing.imports import Import, spelling
from ..editing.keywords import argument, decorator_with, decorator_without, without_keyword
from ..findings import Finding
from .assignments import assigns_to
from .declared_fields import field_name, fields, find_class, find_field
from .proposals import Change, Program, Spot, spot_of

_FREEZE: Final = "declare {subject} @{decorator}(frozen=True)"  # as the libraries' files say it
_REGISTER: Final = f"make {{subject}} {WITH_REGISTER_DATACLASS}"
_REGISTERING: Final = "jax.tree_util.register_dataclass"
_REFUSING: Final = frozenset({"__setattr__", "__delattr__"})  # methods that a frozen dataclass cannot have
_FIELD_IMPORT: Final = (Import("dataclasses", "field"), Import("dataclasses"))


def freeze(finding: Finding, program: Program) -> Change | None:
    """static-mutable: an unfrozen dataclass. Safe if no code of the project assigns to its fields."""
    advice = offered(_FREEZE, finding.advice)
    spot = spot_of(finding, program) if advice is not None else None
    found = _class_at(spot) if spot is not None else None
    if spot is None or advice is None or found is None:
        return None
    if advice["subject"] not in ("it", f'its base "{found.name.value}"'):
        return None
    decorator = dataclass_decorator(found)
    defined = {statement.name.value for statement in _methods(found)}
    if decorator is None or defined & _REFUSING:
        return None
    edit = Edit({decorator.decorator: decorator_with(decorator.decorator, "frozen", "True")})
    return spot.change(edit, is_safe=not assigns_to(found.name.value, set(field_names(found)), program))


def compare_by_value(finding: Finding, program: Program) -> Change | None:
    """static-hash: `eq=False` on a frozen dataclass."""
    spot = spot_of(finding, program) if offered(COMPARE_BY_VALUE, finding.advice) is not None else None
    found = _class_at(spot) if spot is not None else None
    decorator = dataclass_decorator(found) if found is not None else None
    if spot is None or decorator is None:
        return None
    call = decorator.decorator
    if not isinstance(call, cst.Call) or not _is(call, "eq", "False") or not _is(call, "frozen", "True"):
        return None
    return spot.change(Edit({call: decorator_without(call, "eq")}), is_safe=True)


def compare_field(finding: Finding, program: Program) -> Change | None:
    """static-eq: `field(compare=False)`. Not safe if the class is ordered, or if a default is lost."""
    path = finding.positions[0].description.rpartition(": ")[2] if finding.positions else ""
    found = find_field(path, program.root / finding.span.path, program)
    if found is None or offered(COMPARE_FIELD, finding.advice) is None:
        return None
    file, declared = found
    document, call = program.document(file), declared.value
    owner = document.parent(declared, cst.ClassDef) if document is not None else None
    if owner is None or not isinstance(call, cst.Call) or not _is(call, "compare", "False"):
        return None
    if argument(call, "hash") is not None:
        return None
    new = without_keyword(call, "compare")
    decorator = dataclass_decorator(owner)
    is_ordered = (
        decorator is not None and isinstance(decorator.decorator, cst.Call) and _is_ordered(decorator.decorator)
    )
    if new.args:
        return Change({file: Edit({call: new})}, not is_ordered)
    bare = declared.with_changes(value=None, equal=cst.MaybeSentinel.DEFAULT)
    return Change({file: Edit({declared: bare}, unneeded=_FIELD_IMPORT)}, not is_ordered)


def register_dataclass(finding: Finding, program: Program) -> Change | None:
    """jit-self, jit-untraceable: a dataclass without static fields. Functions of `jax.tree` then look into it."""
    if offered(_REGISTER, finding.advice) is None:
        return None
    declaration = next(filter(None, map(read_declaration, finding.notes)), None)
    file = program.root / finding.span.path
    named = re.match(r'"(\w+)"', finding.problem)
    name = declaration.name if declaration is not None else named[1] if named is not None else ""
    if declaration is not None and declaration.module is not None:
        file = program.modules.get(declaration.module, file)
    owner = find_class(name.rpartition(".")[2].strip('"'), file, program)
    document = program.document(owner[0]) if owner is not None else None
    spelled = spelling(document, _REGISTERING) if document is not None else None
    if owner is None or document is None or spelled is None or dataclass_decorator(owner[1]) is None:
        return None
    added = cst.Decorator(cst.parse_expression(spelled.text))
    new = [added, *owner[1].decorators]
    first = new[1]
    if isinstance(first, cst.Decorator):
        new = [added.with_changes(leading_lines=first.leading_lines), first.with_changes(leading_lines=()), *new[2:]]
    changed = owner[1].with_changes(decorators=new)
    return Change({owner[0]: Edit({owner[1]: changed}, imports=spelled.imports)}, False)


def dataclass_decorator(found: cst.ClassDef) -> cst.Decorator | None:
    """The decorator that makes a dataclass; None if there are several."""
    named = [one for one in found.decorators if _last_name(one.decorator) in ("dataclass", "define", "frozen")]
    return named[0] if len(named) == 1 and _last_name(named[0].decorator) == "dataclass" else None


def field_names(found: cst.ClassDef) -> Iterator[str]:
    return (field_name(one) for one in fields(found))


def _methods(found: cst.ClassDef) -> Iterator[cst.FunctionDef]:
    return (part for part in found.body.body if isinstance(part, cst.FunctionDef))


def _class_at(spot: Spot) -> cst.ClassDef | None:
    """The class whose name is at the place."""
    name = spot.document.starting_at(spot.place, cst.Name)
    parent = spot.document.parent(name, cst.ClassDef) if name is not None else None
    return parent if parent is not None and parent.name is name else None


def _last_name(decorator: cst.BaseExpression) -> str:
    callee = decorator.func if isinstance(decorator, cst.Call) else decorator
    return (get_full_name_for_node(callee) or "").rpartition(".")[2]


def _is(call: cst.Call, name: str, value: str) -> bool:
    given = argument(call, name)
    return given is not None and isinstance(given.value, cst.Name) and given.value.value == value


def _is_ordered(call: cst.Call) -> bool:
    order = argument(call, "order")
    return order is not None and not _is(call, "order", "False")
