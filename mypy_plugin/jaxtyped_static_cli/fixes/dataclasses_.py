"""Changes the decorator and the fields of a dataclass."""

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst
from libcst.helpers import get_full_name_for_node

from ..editing.edits import Edit
from ..editing.imports import Import
from ..editing.keywords import argument, decorator_with, decorator_without, without_keyword
from ..findings import Finding
from .assignments import assigns_to
from .proposals import Change, Program, Spot, spot_of

_FREEZE: Final = re.compile(r'declare (?:it|its base "(?P<base>\w+)") @(?P<decorator>[\w.]+)\(frozen=True\)')
_REFUSING: Final = frozenset({"__setattr__", "__delattr__"})  # methods that a frozen dataclass cannot have
_FIELD_IMPORT: Final = (Import("dataclasses", "field"), Import("dataclasses"))


def freeze(finding: Finding, program: Program) -> Change | None:
    """static-mutable: an unfrozen dataclass. Safe if no code of the project assigns to its fields."""
    spot, advice = spot_of(finding, program), _FREEZE.search(finding.advice)
    found = _class_at(spot) if spot is not None else None
    if spot is None or advice is None or found is None or (advice["base"] or found.name.value) != found.name.value:
        return None
    decorator = dataclass_decorator(found)
    defined = {statement.name.value for statement in _methods(found)}
    if decorator is None or defined & _REFUSING:
        return None
    edit = Edit({decorator.decorator: decorator_with(decorator.decorator, "frozen", "True")})
    return spot.change(edit, is_safe=not assigns_to(found.name.value, set(field_names(found)), program))


def compare_by_value(finding: Finding, program: Program) -> Change | None:
    """static-hash: `eq=False` on a frozen dataclass."""
    spot = spot_of(finding, program)
    found = _class_at(spot) if spot is not None else None
    decorator = dataclass_decorator(found) if found is not None else None
    if spot is None or decorator is None or finding.advice != "remove eq=False":
        return None
    call = decorator.decorator
    if not isinstance(call, cst.Call) or not _is(call, "eq", "False") or not _is(call, "frozen", "True"):
        return None
    return spot.change(Edit({call: decorator_without(call, "eq")}), is_safe=True)


def compare_field(finding: Finding, program: Program) -> Change | None:
    """static-eq: `field(compare=False)`. Not safe if the class is ordered, or if a default is lost."""
    spot, quoted = spot_of(finding, program), re.search(r'differ in "(?:[\w.]+\.)?(\w+)"', finding.problem)
    found = _class_at(spot) if spot is not None else None
    if spot is None or found is None or quoted is None or not finding.advice.startswith("remove compare=False"):
        return None
    declared = next((one for one in fields(found) if _name(one) == quoted[1]), None)
    call = declared.value if declared is not None else None
    if declared is None or not isinstance(call, cst.Call) or not _is(call, "compare", "False"):
        return None
    if argument(call, "hash") is not None:
        return None
    new = without_keyword(call, "compare")
    decorator = dataclass_decorator(found)
    is_ordered = (
        decorator is not None and isinstance(decorator.decorator, cst.Call) and _is_ordered(decorator.decorator)
    )
    if new.args:
        return spot.change(Edit({call: new}), is_safe=not is_ordered)
    bare = declared.with_changes(value=None, equal=cst.MaybeSentinel.DEFAULT)
    return spot.change(Edit({declared: bare}, unneeded=_FIELD_IMPORT), is_safe=not is_ordered)


def dataclass_decorator(found: cst.ClassDef) -> cst.Decorator | None:
    """The decorator that makes a dataclass; None if there are several."""
    named = [one for one in found.decorators if _last_name(one.decorator) in ("dataclass", "define", "frozen")]
    return named[0] if len(named) == 1 and _last_name(named[0].decorator) == "dataclass" else None


def fields(found: cst.ClassDef) -> Iterator[cst.AnnAssign]:
    for line in found.body.body:
        if isinstance(line, cst.SimpleStatementLine):
            yield from (part for part in line.body if isinstance(part, cst.AnnAssign) and _name(part))


def field_names(found: cst.ClassDef) -> Iterator[str]:
    return (_name(one) for one in fields(found))


def _methods(found: cst.ClassDef) -> Iterator[cst.FunctionDef]:
    return (part for part in found.body.body if isinstance(part, cst.FunctionDef))


def _class_at(spot: Spot) -> cst.ClassDef | None:
    """The class whose name is at the place."""
    name = spot.document.starting_at(spot.place, cst.Name)
    parent = spot.document.parent(name, cst.ClassDef) if name is not None else None
    return parent if parent is not None and parent.name is name else None


def _name(declared: cst.AnnAssign) -> str:
    return declared.target.value if isinstance(declared.target, cst.Name) else ""


def _last_name(decorator: cst.BaseExpression) -> str:
    callee = decorator.func if isinstance(decorator, cst.Call) else decorator
    return (get_full_name_for_node(callee) or "").rpartition(".")[2]


def _is(call: cst.Call, name: str, value: str) -> bool:
    given = argument(call, name)
    return given is not None and isinstance(given.value, cst.Name) and given.value.value == value


def _is_ordered(call: cst.Call) -> bool:
    order = argument(call, "order")
    return order is not None and not _is(call, "order", "False")
