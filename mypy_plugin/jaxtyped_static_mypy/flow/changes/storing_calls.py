"""Finds calls of functions of the program that store what they are given, or what JAX computes, in lasting objects.

`remember("a", x)`, where `def remember(key, value): CACHE[key] = value`; `put(HISTORY, x)`, which is given the list.
"""

from collections.abc import Iterator
from typing import Any, Final

from mypy.nodes import CallExpr, Expression, FuncDef, MemberExpr, NameExpr, RefExpr, Var

from ...classes import class_model
from ...compat.mypy_api import lookup_fully_qualified
from ...facts.functions.keeping import facts_of_function, is_of_program, split_name
from ...facts.functions.steps import StoredByFunction, uses_of
from ...facts.functions.storing import ATTRIBUTE, ITEM, METHOD
from ...facts.stored_values import COMPUTED
from ...libraries import TRACKING_PACKAGES
from ...source.bindings import bindings_of
from ...source.checked_file import CheckedFile
from ...source.nested_functions import Functions
from ...syntax.arguments import named_arguments
from ...syntax.changes import Change, ChangeKind
from ...syntax.literals import MUTABLE_DISPLAYS
from .refused import class_of

_KINDS: Final = {ATTRIBUTE: ChangeKind.ATTRIBUTE, ITEM: ChangeKind.ITEM, METHOD: ChangeKind.METHOD}
_ADDING: Final = "append"  # stands for any method that adds to a list


def changes_by_function(call: CallExpr, functions: Functions) -> Iterator[Change]:
    """What a call stores, as changes that stand there."""
    function = _function_called(call.callee, functions)
    kept = _stored_by(function, functions.file) if function is not None else None
    if kept is None:
        return
    given = named_arguments(call, kept["parameters"])
    for owner, below, kind, shown, origins in kept["stored"]:
        target = _variable(owner, call, functions.file) if "." in owner else _below(given.get(owner), below)
        if target is None or not _takes_tracers(target, kind, functions, is_given="." not in owner):
            continue
        values = tuple(given[name] for name in origins if name in given)
        method = _ADDING if kind == METHOD else ""
        yield Change(call, _KINDS[kind], target, shown, values, method, is_computed=COMPUTED in origins)


def _function_called(callee: Expression, functions: Functions) -> FuncDef | None:
    """The undecorated function or method of the program that runs; of a class that is known, by its MRO."""
    node: Any = callee.node if isinstance(callee, RefExpr) else None
    if isinstance(callee, MemberExpr) and node is None:
        info = class_of(callee.expr, functions)
        symbol = info.get(callee.name) if info is not None else None
        node = symbol.node if symbol is not None else None
        functions.consulted.update(info.mro if info is not None else ())
    return node if isinstance(node, FuncDef) and not node.is_decorated else None


def _stored_by(function: FuncDef, file: CheckedFile) -> StoredByFunction | None:
    if not is_of_program(function.fullname, file.modules):
        return None
    file.helpers.add(split_name(function.fullname, file.modules)[0])
    return (facts_of_function(uses_of(function.fullname), file.modules) or {}).get("stores")


def _variable(full_name: str, call: CallExpr, file: CheckedFile) -> Expression | None:
    """A name of a variable of a module, as if it stood at the call, and the attributes that are read from it."""
    symbol = lookup_fully_qualified(full_name, file.modules)
    if symbol is not None and isinstance(symbol.node, Var):
        name = NameExpr(symbol.node.name)
        name.node, name.fullname = symbol.node, full_name
        name.set_line(call)
        return name
    owner, _, attribute = full_name.rpartition(".")
    holder = _variable(owner, call, file) if "." in owner else None
    return _below(holder, f".{attribute}")


def _below(holder: Expression | None, attributes: str) -> Expression | None:
    if holder is None or not attributes:
        return holder
    above, _, last = attributes.rpartition(".")
    owner = _below(holder, above)
    if owner is None:
        return None
    member = MemberExpr(owner, last)
    member.set_line(holder)
    return member


def _takes_tracers(target: Expression, kind: str, functions: Functions, *, is_given: bool) -> bool:
    """Whether an object keeps what is stored in it: no array does, and no copy that JAX makes of a pytree."""
    if kind == ITEM and is_given:
        return _is_display(target, functions.file)
    if kind != ATTRIBUTE:
        return True
    info = class_of(target, functions)
    if info is None:
        return False
    functions.consulted.update(info.mro)
    is_tracked = any(base.fullname.startswith(TRACKING_PACKAGES) for base in info.mro)
    return not is_tracked and not class_model.is_pytree(info)


def _is_display(target: Expression, file: CheckedFile) -> bool:
    """Whether a variable holds a list, dict or set that is written out."""
    found = bindings_of(target.node, file) if isinstance(target, NameExpr) and target.node is not None else []
    return bool(found) and all(isinstance(binding.value, MUTABLE_DISPLAYS) for binding in found)
