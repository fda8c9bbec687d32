"""jax-call: a list or tuple where a function of JAX takes an array alone."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    ListComprehension,
    ListExpr,
    NameExpr,
    OpExpr,
    TupleExpr,
    Var,
)
from mypy.types import Instance, TupleType, Type, get_proper_type

from ..flow.declared_types import declared_type
from ..knowledge.array_arguments import ArrayParameter, array_parameters
from ..knowledge.full_names import LIST_MAKERS, LISTS
from ..reporting.messages import Message
from ..source.bindings import only_value
from ..source.checked_file import CheckedFile
from ..source.local_bindings import LocalBinding, reaching_bindings
from ..syntax.trees import last_name
from ._refused import JaxCall, Refused

_MAX_DEPTH: Final = 5  # of names and sums of lists

_LISTED: Final = Message(
    '"{function}" takes an array here, and no {given}, so this call raises',
    "make an array of it (jnp.array, jnp.stack)",
    kind="listed-array",
)


def listed_arrays(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    parameters = array_parameters(found.name) if found.made_by is None else ()
    for parameter in parameters:
        for given in _given(found.call, parameter):
            kind = _kind(given, file, _MAX_DEPTH)
            if kind is not None:
                yield Refused(given, _LISTED.fill(function=last_name(found.call.callee), given=kind))


def _given(call: CallExpr, parameter: ArrayParameter) -> Iterator[Expression]:
    """The arguments for a parameter, by position or by name; none behind what is unpacked."""
    for index, (value, kind, name) in enumerate(zip(call.args, call.arg_kinds, call.arg_names, strict=True)):
        if kind.is_star():
            return
        is_at = index == parameter.position or (parameter.takes_rest and index >= parameter.position)
        if name == parameter.name or (name is None and is_at):
            yield value


def _kind(node: Expression, file: CheckedFile, depth: int) -> str | None:
    """`list` or `tuple`, if an expression is surely one of these."""
    if isinstance(node, (ListExpr, ListComprehension)):
        return "list"
    if isinstance(node, TupleExpr):
        return "tuple"
    if isinstance(node, CallExpr):
        return LIST_MAKERS.get(getattr(node.callee, "fullname", ""))
    if isinstance(node, OpExpr) and node.op == "+" and depth:
        sides = {_kind(side, file, depth - 1) for side in (node.left, node.right)}
        return sides.pop() if len(sides) == 1 else None
    return _of_name(node, file, depth - 1) if isinstance(node, NameExpr) and depth else None


def _of_name(node: NameExpr, file: CheckedFile, depth: int) -> str | None:
    """What all bindings give that a use of a name may see; `+=` leaves a list one."""
    if not isinstance(node.node, Var):
        return None
    if "." in node.node.fullname:  # a variable of the module
        value = only_value(node.node, file)
        return _kind(value, file, depth) if value is not None else None
    kinds = {_of_binding(binding, node.node, file, depth) for binding in reaching_bindings(file, node, node.node)}
    return kinds.pop() if len(kinds) == 1 else None


def _of_binding(binding: LocalBinding, variable: Var, file: CheckedFile, depth: int) -> str | None:
    if binding.binding.is_parameter:
        typ = declared_type(variable)
        return _of_type(typ) if typ is not None else None
    value = binding.binding.whole
    is_bound = isinstance(binding.statement, AssignmentStmt)
    return _kind(value, file, depth) if value is not None and is_bound else None


def _of_type(declared: Type) -> str | None:
    typ = get_proper_type(declared)
    if isinstance(typ, TupleType):
        return _of_type(typ.partial_fallback)
    return LISTS.get(typ.type.fullname) if isinstance(typ, Instance) else None
