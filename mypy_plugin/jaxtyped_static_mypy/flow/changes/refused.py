"""Finds assignments that a frozen pytree refuses: they always raise, and mypy does not report all of them."""

from typing import Final

from mypy.errorcodes import MISC
from mypy.nodes import (
    CallExpr,
    Expression,
    FuncDef,
    MemberExpr,
    NameExpr,
    RefExpr,
    TypeInfo,
    Var,
)

from ...classes import class_model
from ...compat.mypy_api import lookup_class
from ...facts.method_facts import MAKING
from ...knowledge.function_rows import Effect
from ...libraries import known_function
from ...reach.objects import class_held, class_of_global
from ...source.bindings import bindings_of
from ...source.checked_file import CheckedFile
from ...source.expected import is_error_expected
from ...source.nested_functions import Functions, Variables
from ...syntax.changes import Change, ChangeKind
from ...syntax.trees import self_parameter
from ..declared_types import class_in, declared_type, return_types
from ..traced.given import given_expressions

_MAX_DEPTH: Final = 8
_COPYING_METHODS: Final = ("replace", "_replace")


def may_be_refused(change: Change) -> bool:
    """Whether a change is an assignment that goes through the `__setattr__` of the class."""
    return change.kind is ChangeKind.ATTRIBUTE and not change.is_forced


def refusing_class(change: Change, functions: Functions) -> TypeInfo | None:
    """The frozen pytree class that refuses an assignment; None if it may succeed, or mypy reports it."""
    # Equinox 0.13.8 freezes an object only after `__init__`, which may call others that assign.
    is_made = making_method(change.target, functions) is not None
    return refusing_when_made(change, functions) if not is_made else None


def refusing_when_made(change: Change, functions: Functions) -> TypeInfo | None:
    """The same of an assignment of a constructor, where a class is frozen that early."""
    if not may_be_refused(change):
        return None
    info = class_of(change.target, functions)
    if info is None or not class_model.is_pytree(info):
        return None
    functions.consulted.update(info.mro)
    name = change.written.rpartition(".")[2]
    if not class_model.refuses_to_set(info, name) or _is_seen_by_mypy(change, info, name, functions):
        return None
    return None if is_error_expected(change.context, functions.file) else info


def _is_seen_by_mypy(change: Change, info: TypeInfo, name: str, functions: Functions) -> bool:
    """Whether users see mypy's own error: it knows the field of a frozen dataclass as read-only.

    It does not see the name in `setattr(x, "name", value)`, and takes any other name for a new attribute, if a method
    sets it on `self`.
    """
    symbol = info.get(name)
    node = symbol.node if symbol is not None else None
    if name not in class_model.frozen_fields(info):
        return not isinstance(node, Var) or node.is_property or node.is_classvar
    if not functions.file.settings.shows(MISC.code, functions.file.options):
        return False
    is_call = isinstance(getattr(change.context, "expr", None), CallExpr)
    return isinstance(node, Var) and node.is_property and not is_call


def making_method(target: Expression, variables: Variables) -> str | None:
    """The method that constructs an object, if this is its `self`."""
    variable = target.node if isinstance(target, NameExpr) else None
    owner = variables.owners.get(variable) if variable is not None else None
    return owner.name if owner is not None and owner.name in MAKING and self_parameter(owner) is variable else None


def class_of(node: Expression, variables: Variables) -> TypeInfo | None:
    """The class of an object, by declared types, constructors and copies alone."""
    return _class_of(node, variables, _MAX_DEPTH)


def class_of_variable(variable: Var, variables: Variables) -> TypeInfo | None:
    """The class of the object that a variable holds, by the same."""
    return _class_of_variable(variable, variables, _MAX_DEPTH)


def _class_of(node: Expression, variables: Variables, depth: int) -> TypeInfo | None:
    if depth == 0:
        return None
    if isinstance(node, NameExpr) and isinstance(node.node, Var):
        return _class_of_variable(node.node, variables, depth)
    if isinstance(node, MemberExpr):
        if (enum := _enum_of_member(node)) is not None:
            return enum
        owner = _class_of(node.expr, variables, depth - 1)
        return class_of_attribute(owner, node.name, variables.file) if owner is not None else None
    return _class_of_result(node, variables, depth) if isinstance(node, CallExpr) else None


def class_of_attribute(owner: TypeInfo, name: str, file: CheckedFile) -> TypeInfo | None:
    """By its annotation, or else by the constructor that the methods of the class call for it."""
    field = next((field for field in class_model.fields(owner) if field.name == name), None)
    if field is not None and field.type is not None:
        return class_in(field.type)
    held = class_held(owner, name, file)
    return lookup_class(file.api, held) if held is not None else None


def _enum_of_member(node: MemberExpr) -> TypeInfo | None:
    """The enum of which an expression is a member: `Sizes.SMALL`."""
    info = node.expr.node if isinstance(node.expr, RefExpr) else None
    return info if isinstance(info, TypeInfo) and node.name in info.enum_members else None


def _class_of_variable(variable: Var, variables: Variables, depth: int) -> TypeInfo | None:
    if (declared := class_in(declared_type(variable))) is not None:
        return declared
    owner = variables.owners.get(variable)
    if isinstance(owner, FuncDef) and self_parameter(owner) is variable and variable.type is None:
        return owner.info or None
    if owner is None and variable.fullname.rpartition(".")[0] not in ("", variables.file.tree.fullname):
        held = class_of_global(variable.fullname, variables.file)
        return lookup_class(variables.file.api, held) if held is not None else None
    found = variables.bindings.get(variable) or bindings_of(variable, variables.file)
    values = [binding.whole for binding in found]
    if isinstance(owner, FuncDef) and len(found) == 1 and found[0].is_parameter:
        values = [*given_expressions(variables.file, owner).get(variable.name, ())]
    classes = {_class_of(value, variables, depth - 1) if value is not None else None for value in values}
    return classes.pop() if len(classes) == 1 else None


def _class_of_result(call: CallExpr, variables: Variables, depth: int) -> TypeInfo | None:
    """The class of what a constructor, a copying function, or a function with a declared result returns."""
    callee = call.callee
    if not isinstance(callee, RefExpr):
        return None
    if isinstance(callee.node, TypeInfo):
        return callee.node
    if Effect.COPIES in known_function(callee.fullname).effects and call.args:
        return _class_of(call.args[0], variables, depth - 1)
    if isinstance(callee, MemberExpr) and callee.name in _COPYING_METHODS:
        return _class_of(callee.expr, variables, depth - 1)
    classes = {class_in(typ) for typ in return_types(callee.node)}
    return classes.pop() if len(classes) == 1 else None
