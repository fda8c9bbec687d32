"""Changes the decorator and the fields of a dataclass."""

import ast
from collections.abc import Iterator
from typing import Final

import libcst as cst
from libcst.helpers import get_full_name_for_node

from jaxtyped_static_mypy.reporting.actions import Action
from jaxtyped_static_mypy.reporting.evidence.wording import AGAINST_FREEZING

from ..editing.edits import Edit
from ..editing.imports import Import, imported, spelling
from ..editing.keywords import argument, decorator_with, decorator_without, without_keyword
from ..findings.causes import Finding
from .declared_fields import field_name, fields, find_class, find_field
from .proofs.freezing import assigns_to_itself, why_not_frozen
from .proposals import Change, ProjectFiles, Spot, spot_of

_REGISTERING: Final = "jax.tree_util.register_dataclass"
_REFUSING: Final = frozenset({"__setattr__", "__delattr__"})  # methods that a frozen dataclass cannot have
_COMPARING: Final = frozenset({"__eq__", "__hash__"})
_EQUAL: Final = "objects with equal fields become equal, and one key in dicts and sets"
_DIFFERENT: Final = "objects that differ in this field are no longer equal, nor one key in dicts and sets"
_A_TREE: Final = "functions of jax.tree then look into it"
_FIELD_IMPORT: Final = (Import("dataclasses", "field"), Import("dataclasses"))


def freeze(finding: Finding, files: ProjectFiles) -> Change | None:
    """static-mutable: an unfrozen dataclass. Safe if no code of the project may assign to attributes of its objects.

    None if code is known to assign to them: somebody has to rewrite that first, and mypy would refuse it.
    """
    if any(shown.label in AGAINST_FREEZING for shown in finding.evidence):
        return None
    advised = finding.reported.offered(Action.FREEZE)
    spot = spot_of(finding, files) if advised is not None else None
    found = _class_at(spot) if spot is not None else None
    if spot is None or advised is None or found is None or found.name.value != advised.value("frozen_by"):
        return None
    decorator = dataclass_decorator(found)
    defined = {statement.name.value for statement in _methods(found)}
    if decorator is None or defined & _REFUSING:
        return None
    without, is_compared = _compared(decorator.decorator, found, defined)
    source = files.code.source(spot.path)
    tree = source.class_at(spot.place[0]) if source is not None else None
    if source is not None and tree is not None and assigns_to_itself(tree, source):
        return None
    edit = Edit({decorator.decorator: decorator_with(without, "frozen", "True")})
    return spot.change(edit, _why_not_frozen(found, tree, decorator, spot, files) or (_EQUAL if is_compared else ""))


def _compared(decorator: cst.BaseExpression, found: cst.ClassDef, defined: set[str]) -> tuple[cst.BaseExpression, bool]:
    """The decorator without `eq=False`, if only that keeps the class from being compared by value."""
    if found.bases or defined & _COMPARING or not isinstance(decorator, cst.Call) or not _is(decorator, "eq", "False"):
        return decorator, False
    return decorator_without(decorator, "eq"), True


def _why_not_frozen(
    found: cst.ClassDef, tree: ast.ClassDef | None, decorator: cst.Decorator, spot: Spot, files: ProjectFiles
) -> str:
    """`tree`: the same class, as the proofs read it."""
    if _full_name(decorator, spot) != "dataclasses.dataclass":
        return f'what else "{spot.document.code(decorator.decorator)}" does is not known'
    if tree is None:
        return f"{spot.path.name} is no file of the project"
    return why_not_frozen(tree, set(field_names(found)), files.code)


def compare_by_value(finding: Finding, files: ProjectFiles) -> Change | None:
    """static-hash: `eq=False` on a frozen dataclass. Never safe: no type tells what is compared or a key."""
    spot = spot_of(finding, files) if finding.reported.offered(Action.COMPARE_BY_VALUE) is not None else None
    found = _class_at(spot) if spot is not None else None
    decorator = dataclass_decorator(found) if found is not None else None
    if spot is None or decorator is None:
        return None
    call = decorator.decorator
    if not isinstance(call, cst.Call) or not _is(call, "eq", "False") or not _is(call, "frozen", "True"):
        return None
    return spot.change(Edit({call: decorator_without(call, "eq")}), _EQUAL)


def compare_field(finding: Finding, files: ProjectFiles) -> Change | None:
    """static-eq: `field(compare=False)`. Never safe, for the same reason."""
    path = finding.reported.path if finding.reported.offered(Action.COMPARE_FIELD) is not None else ""
    found = find_field(path, files.root / finding.span.path, files) if path else None
    if found is None:
        return None
    file, declared = found
    document, call = files.document(file), declared.value
    owner = document.parent(declared, cst.ClassDef) if document is not None else None
    if owner is None or not isinstance(call, cst.Call) or not _is(call, "compare", "False"):
        return None
    if argument(call, "hash") is not None:
        return None
    new = without_keyword(call, "compare")
    if new.args:
        return Change({file: Edit({call: new})}, _DIFFERENT)
    bare = declared.with_changes(value=None, equal=cst.MaybeSentinel.DEFAULT)
    return Change({file: Edit({declared: bare}, unneeded=_FIELD_IMPORT)}, _DIFFERENT)


def register_dataclass(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-self, jit-untraceable: a dataclass without static fields. Functions of `jax.tree` then look into it."""
    advised = finding.reported.offered(Action.REGISTER_DATACLASS)
    if advised is None:
        return None
    declared, file = finding.reported.declared, files.root / finding.span.path
    if declared is not None and declared.line is None:
        file = files.modules.get(declared.module, file)
    owner = find_class(advised.value("cls"), file, files)
    document = files.document(owner[0]) if owner is not None else None
    spelled = spelling(document, _REGISTERING) if document is not None else None
    if owner is None or document is None or spelled is None or dataclass_decorator(owner[1]) is None:
        return None
    added = cst.Decorator(cst.parse_expression(spelled.text))
    new = [added, *owner[1].decorators]
    first = new[1]
    if isinstance(first, cst.Decorator):
        new = [added.with_changes(leading_lines=first.leading_lines), first.with_changes(leading_lines=()), *new[2:]]
    changed = owner[1].with_changes(decorators=new)
    return Change({owner[0]: Edit({owner[1]: changed}, imports=spelled.imports)}, _A_TREE)


def dataclass_decorator(found: cst.ClassDef) -> cst.Decorator | None:
    """The decorator that makes a dataclass; None if there are several."""
    named = [
        decorator
        for decorator in found.decorators
        if _last_name(decorator.decorator) in ("dataclass", "define", "frozen")
    ]
    return named[0] if len(named) == 1 and _last_name(named[0].decorator) == "dataclass" else None


def field_names(found: cst.ClassDef) -> Iterator[str]:
    return (field_name(declared) for declared in fields(found))


def _methods(found: cst.ClassDef) -> Iterator[cst.FunctionDef]:
    return (part for part in found.body.body if isinstance(part, cst.FunctionDef))


def _class_at(spot: Spot) -> cst.ClassDef | None:
    """The class whose name is at the place."""
    name = spot.document.starting_at(spot.place, cst.Name)
    parent = spot.document.parent(name, cst.ClassDef) if name is not None else None
    return parent if parent is not None and parent.name is name else None


def _full_name(decorator: cst.Decorator, spot: Spot) -> str:
    """What a decorator is imported as."""
    callee = decorator.decorator.func if isinstance(decorator.decorator, cst.Call) else decorator.decorator
    head, _, rest = (get_full_name_for_node(callee) or "").partition(".")
    known = {import_.bound: import_.full_name for import_ in imported(spot.document.module)}
    return ".".join(part for part in (known.get(head, ""), rest) if part)


def _last_name(decorator: cst.BaseExpression) -> str:
    callee = decorator.func if isinstance(decorator, cst.Call) else decorator
    return (get_full_name_for_node(callee) or "").rpartition(".")[2]


def _is(call: cst.Call, name: str, value: str) -> bool:
    given = argument(call, name)
    return given is not None and isinstance(given.value, cst.Name) and given.value.value == value
