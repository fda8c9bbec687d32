"""Data fields of pytrees that the file fills with plain functions: no compiled function takes such an object."""

from collections.abc import Iterator

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    LambdaExpr,
    MemberExpr,
    RefExpr,
    TypeInfo,
)
from mypy.types import FunctionLike, get_proper_type

from ..classes import class_model
from ..classes.constructors import parameter_names, parameters_of_fields
from ..knowledge.full_names import JAX, KNOWN_PACKAGES
from ..libraries import LIFTING_PACKAGES, SPLITTING_FUNCTIONS, TREE_METHODS
from ..source.checked_file import CheckedFile, once_per_file
from ..source.nested_functions import Variables
from ..syntax.arguments import named_arguments, unpacks
from ..syntax.names import is_self
from ..syntax.trees import statements
from .changes.refused import class_of


@once_per_file
def function_field(file: CheckedFile, info: TypeInfo) -> str | None:
    """The first data field, declared as a callable, that gets a function: a call or the class itself shows it."""
    names = [field.name for field in leaf_fields(file, info) if _is_callable(field)]
    if not names:
        return None
    given = [*_given_to_constructor(info, file), *_set_by_methods(info, file)]
    return next((name for name in names if any(name == field and _is_plain(node, file) for field, node in given)), None)


def leaf_fields(file: CheckedFile, info: TypeInfo) -> list[class_model.Field]:
    """The data fields of a pytree class whose objects hold values of the declared types.

    A program that takes Equinox modules apart (`eqx.partition`) passes them on with None in place of what is no array.
    """
    if not class_model.is_pytree(info) or not class_model.knows_data_fields(info) or _takes_apart(file):
        return []
    if class_model.is_its_leaves(info):
        return []  # its library may wrap what JAX does not trace
    if any(base.fullname.startswith(LIFTING_PACKAGES) for base in info.mro):
        return []  # NNX makes static what holds no arrays, object by object
    if any(base.fullname in TREE_METHODS for base in info.mro) and not _is_made(file, info):
        return []  # may be taken apart in another file
    markers = file.settings.static_markers
    return [field for field in class_model.data_fields(info) if not class_model.is_static(field, markers)]


@once_per_file
def _takes_apart(file: CheckedFile) -> bool:
    names = {fullname.rpartition(".")[2] for fullname in SPLITTING_FUNCTIONS}
    uses = (use for name in names for use in file.uses_by_name.get(name, ()))
    return any(use.fullname in SPLITTING_FUNCTIONS for use in uses)


def _is_made(file: CheckedFile, info: TypeInfo) -> bool:
    calls = (call.callee for call in file.calls)
    return any(isinstance(callee, RefExpr) and callee.node is info for callee in calls)


def _is_plain(node: Expression, file: CheckedFile) -> bool:
    return is_function(node) or _is_bound_method(node, file)


def _is_bound_method(node: Expression, file: CheckedFile) -> bool:
    """Whether an expression is a method of an object, and no pytree, as the methods of an Equinox module are."""
    if not isinstance(node, MemberExpr) or node.fullname:
        return False
    info = class_of(node.expr, Variables(file))
    symbol = info.get(node.name) if info is not None else None
    if info is None or symbol is None or any(base.fullname in TREE_METHODS for base in info.mro):
        return False
    method = symbol.node
    if isinstance(method, Decorator) and method.fullname.partition(".")[0] in KNOWN_PACKAGES:
        method = method.func
    return isinstance(method, FuncDef) and not method.is_property


def is_function(node: Expression) -> bool:
    """Whether an expression is a lambda, or names a function: an object with `__call__` may be a pytree."""
    if isinstance(node, LambdaExpr):
        return True
    if not isinstance(node, RefExpr):
        return False
    if isinstance(node.node, Decorator):
        return node.node.fullname.startswith(JAX)
    return isinstance(node.node, FuncDef) and not node.node.info


def _is_callable(field: class_model.Field) -> bool:
    return field.type is not None and isinstance(get_proper_type(field.type), FunctionLike)


def _given_to_constructor(info: TypeInfo, file: CheckedFile) -> Iterator[tuple[str, Expression]]:
    """The fields that calls of the class set, with the arguments."""
    names, fields = parameter_names(info), parameters_of_fields(info)
    for call in file.nodes:
        if not isinstance(call, CallExpr) or not isinstance(call.callee, RefExpr) or call.callee.node is not info:
            continue
        for parameter, value in named_arguments(call, names).items() if not unpacks(call) else ():
            if parameter in fields:
                yield fields[parameter].name, value


def _set_by_methods(info: TypeInfo, file: CheckedFile) -> Iterator[tuple[str, Expression]]:
    """The attributes that `self.f = f` sets in the class, if this file has it."""
    if info.module_name != file.tree.fullname:
        return
    assignments = (node for node in statements(info.defn.defs.body) if isinstance(node, AssignmentStmt))
    for node in assignments:
        for target in node.lvalues:
            if isinstance(target, MemberExpr) and is_self(target.expr):
                yield target.name, node.rvalue
