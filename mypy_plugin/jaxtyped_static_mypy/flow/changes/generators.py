"""Generators of random numbers that compiled code gets from outside: what it draws of one, it draws once.

One that is made in the trace has its seed there, so the same numbers are meant.
"""

from mypy.nodes import CallExpr, Expression, FuncItem, MemberExpr, NameExpr, Var
from mypy.types import Instance, ProperType

from ...facts.functions.drawing import public_name
from ...knowledge import naming
from ...knowledge.members import GENERATORS, PYTHON_DRAWS
from ...knowledge.numpy_functions import DRAWING_METHODS
from ...reach.roots import Root
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.nested_functions import Functions
from ...source.self_values import attribute_of_self, values_of_self
from ...syntax.imports import full_name
from ..declared_types import declared_type


def draws_of_outer(call: CallExpr, inner: FuncItem, root: Root, functions: Functions) -> bool:
    """Whether a call in a traced function draws numbers of a generator that lives longer than the trace."""
    callee = call.callee
    if not isinstance(callee, MemberExpr) or callee.name not in DRAWING_METHODS | PYTHON_DRAWS:
        return False
    holder, file = callee.expr, functions.file
    if (attribute := attribute_of_self(holder)) is not None:
        values = values_of_self(file, attribute)
        return _is_declared(declared_type(holder)) or (bool(values) and all(_is_one(value, file) for value in values))
    if not isinstance(holder, NameExpr) or not isinstance(holder.node, Var):
        return False
    if functions.owners.get(holder.node) in _inside(inner, root, functions):
        is_told = _is_declared(declared_type(holder)) or naming.is_generator(holder.name)
        return holder.node in root.static and is_told
    return _is_one(holder, file)


def _inside(inner: FuncItem, root: Root, functions: Functions) -> list[FuncItem]:
    """A function, and those around it that the trace runs, too."""
    chain = list(functions.chain(inner))
    return chain[: chain.index(root.function) + 1] if root.function in chain else chain


def _is_one(value: Expression, file: CheckedFile) -> bool:
    made = made_by(value, file)
    if isinstance(made, CallExpr):
        return public_name(full_name(made.callee, file.tree)) in GENERATORS
    return _is_declared(declared_type(made))


def _is_declared(typ: ProperType | None) -> bool:
    return isinstance(typ, Instance) and public_name(typ.type.fullname) in GENERATORS
