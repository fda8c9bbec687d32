"""static-mutable: code that changes, in place, what is a tuple, frozenset or immutabledict. It raises.

mypy's own errors say so, too, but the command only counts these.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import Expression, MemberExpr, NameExpr, Var
from mypy.types import Instance, TupleType, Type, get_proper_type

from ..classes import class_model
from ..classes.copying import changed_copy
from ..compat.dependencies import record_dependency
from ..flow.changes import ContainerChange, Holder, certain_changes, names_changed, passed_at
from ..libraries import KEY_TYPES
from ..reporting.errors import report
from ..reporting.evidence.wording import places
from ..reporting.messages import Message, Statement
from ..reporting.positions import Position
from ..source.checked_file import CheckedFile
from . import CODES

_MUTABLE: Final = {"tuple": "list", "frozenset": "set", "immutabledict": "dict"}
_CHANGED: Final = Message("{places} in place, which raises", "{instead}", kind="changed-in-place")
_Found = tuple[str, Statement]  # beside the path to what is changed


def check_changed_in_place(position: Position, expression: Expression, typ: Type, file: CheckedFile) -> None:
    """Looks at a static argument, and at the fields of its class outside of what makes its objects."""
    changed = names_changed(file)
    if not changed:
        return
    if isinstance(proper := get_proper_type(typ), Instance):
        record_dependency(file.api, class_model.user_bases(proper.type))
    for path, statement in (*_of_argument(position, expression, typ, changed, file), *_of_fields(typ, changed, file)):
        report(file, position.context, statement, CODES["static-mutable"], position=position.place, path=path)


def _of_argument(
    position: Position, expression: Expression, typ: Type, changed: frozenset[str], file: CheckedFile
) -> Iterator[_Found]:
    kind = _kind(typ)
    if kind is None or not isinstance(expression, (NameExpr, MemberExpr)) or expression.name not in changed:
        return
    for passed in passed_at(expression, position.owner, file):
        variable = passed.holder.variable
        if not isinstance(variable, Var) or _kind(variable.type) != kind:
            continue
        if found := certain_changes(passed.holder, file):
            use = f'make it a {_MUTABLE[kind]}, and pass {kind}({passed.written}) to "{passed.function}"'
            yield "", _statement(f'the {kind} "{passed.written}"', found, use)


def _of_fields(typ: Type, changed: frozenset[str], file: CheckedFile) -> Iterator[_Found]:
    proper = get_proper_type(typ)
    info = proper.type if isinstance(proper, Instance) else None
    if info is None or class_model.declaration_of(info) is None:
        return  # what a class without declared fields holds, mypy only infers
    for field in class_model.fields(info):
        kind = _kind(field.type) if field.name in changed else None
        if kind is None:
            continue
        found = [change for change in certain_changes(Holder(None, info, field.name), file) if change.making is None]
        if found:
            is_frozen = class_model.refuses_to_set(info, field.name)
            way = changed_copy(found[0].owner, info) if is_frozen else f"{found[0].owner}.{field.name} = ..."
            statement = _statement(f"this {kind}", found, f"use {way} there, with a new {kind}")
            yield f"{info.name}.{field.name}", statement


def _statement(what: str, found: list[ContainerChange], instead: str) -> Statement:
    where = places([change.line for change in found], "change", what)
    return _CHANGED.fill(places=where[0].lower() + where[1:], instead=instead)


def _kind(typ: Type | None) -> str | None:
    proper = get_proper_type(typ)
    proper = proper.partial_fallback if isinstance(proper, TupleType) else proper
    fullname = proper.type.fullname if isinstance(proper, Instance) else ""
    name = fullname.rpartition(".")[2]
    return name if name in _MUTABLE and fullname in KEY_TYPES else None
