"""What is known of the attributes of an object that traced code makes: those that keep what the constructor gets."""

from collections.abc import Mapping, Sequence
from typing import Final

from mypy.nodes import AssignmentStmt, CallExpr, FuncDef, MemberExpr, NameExpr, RefExpr, TypeInfo
from mypy.types import Instance
from mypy.typevars import fill_typevars_with_any

from ...classes import class_model
from ...source.checked_file import CheckedFile, once_per_file
from ...source.parameters import parameters
from ...source.selves import classes_of_selves
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.assignments import known_pairs, targets_of
from ...syntax.changes import SETTERS
from ...syntax.names import attribute_of, dotted_name
from ...syntax.trees import nodes_below, self_parameter, statements
from .frame import Frame
from .values import Items, Source, Tree, Value, as_argument, first_origin

_INIT: Final = "__init__"


def made_object(call: CallExpr, values: Sequence[Value], frame: Frame) -> Value:
    """A new object of a class of the file, if its constructor keeps tracers as they are; None if that is not seen."""
    info = call.callee.node if isinstance(call.callee, RefExpr) else None
    file = frame.walk.file
    source = first_origin(values)
    if not isinstance(info, TypeInfo) or source is None or unpacks(call) or info.module_name != file.tree.fullname:
        return None
    frame.walk.consulted.update(info.mro)
    if info.tuple_type is not None:
        names = tuple(info.metadata.get("namedtuple", {}).get("fields", ()))
        given = _given(call, values, names)
        return Items(tuple(given.get(name) for name in names), names) if names and _INIT not in info.names else None
    typ = fill_typevars_with_any(info)
    kept = _kept(file, info)
    given = _given(call, values, _parameters(info))
    text = f'of the object of "{info.name}" that traced code makes'
    held = tuple((name, as_argument(given.get(kept[name]), f'"{name}" {text}')) for name in kept)
    is_known = isinstance(typ, Instance) and any(value is not None for _, value in held)
    return Tree(typ, Source(text), given=held) if is_known and isinstance(typ, Instance) else None


def _given(call: CallExpr, values: Sequence[Value], names: Sequence[str]) -> dict[str, Value]:
    value_of = dict(zip(call.args, values, strict=True))
    return {name: value_of[argument] for name, argument in named_arguments(call, names).items()}


def _constructor(info: TypeInfo) -> FuncDef | None:
    symbol = info.names.get(_INIT)
    return symbol.node if symbol is not None and isinstance(symbol.node, FuncDef) else None


def _is_generated(info: TypeInfo) -> bool:
    symbol = info.names.get(_INIT)
    return symbol is not None and symbol.plugin_generated


def _parameters(info: TypeInfo) -> list[str]:
    if _is_generated(info):
        return [field.name for field in class_model.fields(info) if field.in_init]
    init = _constructor(info)
    return [parameter.name for parameter in parameters(init)][1:] if init is not None else []


@once_per_file
def _kept(file: CheckedFile, info: TypeInfo) -> Mapping[str, str]:
    """The attributes that always have what a parameter of the constructor got, with the parameter."""
    if _is_generated(info):
        found = {name: name for name in _parameters(info)} if not _sets_by_name(info) else {}
        return {name: parameter for name, parameter in found.items() if not _times_assigned(name, info, file)}
    init = _constructor(info)
    own = self_parameter(init) if init is not None and file.defines(init) else None
    if init is None or own is None:
        return {}
    rebound = {
        target.name for node in nodes_below(init.body) for target in targets_of(node) if type(target) is NameExpr
    }
    names = {name: name for name in _parameters(info) if name not in rebound}
    pairs = (pair for node in init.body.body if isinstance(node, AssignmentStmt) for pair in known_pairs(node))
    found = {
        name: value.name
        for target, value in pairs
        if (name := attribute_of(target, own.name)) is not None and isinstance(value, NameExpr) and value.name in names
    }
    return {name: parameter for name, parameter in found.items() if _times_assigned(name, info, file) == 1}


def _sets_by_name(info: TypeInfo) -> bool:
    calls = (node for node in nodes_below(info.defn) if isinstance(node, CallExpr))
    return any(dotted_name(call.callee) in SETTERS for call in calls)


def _times_assigned(name: str, info: TypeInfo, file: CheckedFile) -> int:
    """How often the file may assign an attribute of objects of a class: not where `self` is of an unrelated one."""
    owners = _assigned(file).get(name, ())
    return sum(other is None or other in info.mro or info in other.mro for other in owners)


@once_per_file
def _assigned(file: CheckedFile) -> Mapping[str, list[TypeInfo | None]]:
    """The assignments of attributes in the file, by name: the class, if it is of `self`."""
    found: dict[str, list[TypeInfo | None]] = {}
    for node in statements(file.tree.defs):
        for target in targets_of(node):
            if isinstance(target, MemberExpr):
                owner = target.expr.node if isinstance(target.expr, NameExpr) else None
                known = classes_of_selves(file).get(owner) if owner is not None else None
                found.setdefault(target.name, []).append(known)
    return found
