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
from ..knowledge.full_names import JAX
from ..libraries import LIFTING_PACKAGES
from ..source.checked_file import CheckedFile, once_per_file
from ..syntax.arguments import named_arguments, unpacks
from ..syntax.trees import is_self, statements


@once_per_file
def function_field(file: CheckedFile, info: TypeInfo) -> str | None:
    """The first data field, declared as a callable, that gets a function: a call or the class itself shows it."""
    if not class_model.is_pytree(info) or any(base.fullname.startswith(LIFTING_PACKAGES) for base in info.mro):
        return None
    markers = file.settings.static_markers
    fields = (field for field in class_model.data_fields(info) if not class_model.is_static(field, markers))
    names = [field.name for field in fields if _is_callable(field)]
    if not names:
        return None
    given = [*_given_to_constructor(info, file), *_set_by_methods(info, file)]
    return next((name for name in names if any(name == field and is_function(node) for field, node in given)), None)


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
