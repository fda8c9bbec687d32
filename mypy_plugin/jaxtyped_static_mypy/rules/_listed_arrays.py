"""jax-call: a list or tuple where a function of JAX takes an array alone."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    ArgKind,
    AssignmentStmt,
    CallExpr,
    Expression,
    FuncDef,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    SliceExpr,
    TupleExpr,
    Var,
)
from mypy.types import Instance, TupleType, Type, get_proper_type

from ..flow.declared_types import declared_type
from ..flow.traced.given import is_array_given
from ..knowledge.array_arguments import ArrayParameter, array_parameters
from ..knowledge.full_names import LIST_MAKERS, LISTS
from ..reach.uses import CERTAIN, uses_of
from ..reporting.finding import OF_LISTED_ARRAY
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..source.bindings import UPDATED, bindings_of, only_value
from ..source.checked_file import CheckedFile
from ..source.local_bindings import LocalBinding, reaching_bindings
from ..syntax.arguments import argument
from ..syntax.imports import full_name
from ..syntax.names import last_name
from ._refused import JaxCall, Refused

_MAX_DEPTH: Final = 5  # of names and sums of lists

_LISTED: Final = Message(
    '"{function}" takes an array here, and no {given}, so this call raises',
    "make an array of it (jnp.array, jnp.stack)",
    kind=OF_LISTED_ARRAY,
)


class _Listed(NamedTuple):
    """A value that is no array."""

    kind: str  # `list` or `tuple`
    is_declared: bool = False  # an annotation says so, and nothing else


_SHAPE: Final = "shape"
_TUPLE: Final = _Listed("tuple")
_SHAPING: Final = frozenset({"jax", "numpy"})  # packages with functions of that name, which return a tuple


def listed_arrays(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    parameters = array_parameters(found.name) if found.made_by is None else ()
    for parameter in parameters:
        for given in _given(found.call, parameter):
            listed = _listed(given, file, _MAX_DEPTH)
            if listed is not None:
                statement = _LISTED.fill(function=last_name(found.call.callee), given=listed.kind)
                yield Refused(given, statement, Harm.POTENTIAL if listed.is_declared else None)


def _given(call: CallExpr, parameter: ArrayParameter) -> Iterator[Expression]:
    """The arguments for a parameter, by position or by name; none behind what is unpacked."""
    for index, (value, kind, name) in enumerate(zip(call.args, call.arg_kinds, call.arg_names, strict=True)):
        if kind.is_star():
            return
        is_at = index == parameter.position or (parameter.takes_rest and index >= parameter.position)
        if name == parameter.name or (name is None and is_at):
            yield value


def _listed(node: Expression, file: CheckedFile, depth: int) -> _Listed | None:
    """What an expression is, if that is surely a list or a tuple."""
    if isinstance(node, (ListExpr, ListComprehension)):
        return _Listed("list")
    if isinstance(node, TupleExpr):
        return _TUPLE
    if isinstance(node, CallExpr):
        return _of_call(full_name(node.callee, file.tree))
    if isinstance(node, IndexExpr):
        return _listed(node.base, file, depth - 1) if isinstance(node.index, SliceExpr) and depth else None
    if isinstance(node, MemberExpr):
        return _TUPLE if node.name == _SHAPE and is_array_given(node.expr, file) else None
    if isinstance(node, OpExpr) and node.op == "+" and depth:
        return _one_of([_listed(side, file, depth - 1) for side in (node.left, node.right)])
    return _of_name(node, file, depth - 1) if isinstance(node, NameExpr) and depth else None


def _of_call(function: str) -> _Listed | None:
    if (kind := LIST_MAKERS.get(function)) is not None:
        return _Listed(kind)
    return _TUPLE if function.rpartition(".")[2] == _SHAPE and function.partition(".")[0] in _SHAPING else None


def _one_of(found: list[_Listed | None]) -> _Listed | None:
    """What all of these are."""
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found) or len({one.kind for one in known}) > 1:
        return None
    return _Listed(known[0].kind, any(one.is_declared for one in known))


def _of_name(node: NameExpr, file: CheckedFile, depth: int) -> _Listed | None:
    """What all bindings give that a use of a name may see."""
    if not isinstance(node.node, Var) or not _stays(node.node, file, depth):
        return None
    if "." in node.node.fullname:  # a variable of the module
        value = only_value(node.node, file)
        return _listed(value, file, depth) if value is not None else None
    return _one_of([_of_binding(one, node.node, file, depth) for one in reaching_bindings(file, node, node.node)])


def _stays(variable: Var, file: CheckedFile, depth: int) -> bool:
    """Whether what `+=` and the like leave is a list or a tuple, too: `weights /= np.sum(weights)` makes an array."""
    updates = (one.value for one in bindings_of(variable, file) if UPDATED in one.path)
    return all(value is not None and _listed(value, file, depth) is not None for value in updates)


def _of_binding(binding: LocalBinding, variable: Var, file: CheckedFile, depth: int) -> _Listed | None:
    if binding.binding.is_parameter:
        typ = declared_type(variable)
        kind = _of_type(typ) if typ is not None else None
        is_shown = kind is not None and _is_passed(binding, variable, file, depth)
        return _Listed(kind, is_declared=not is_shown) if kind is not None else None
    value = binding.binding.whole
    is_bound = isinstance(binding.statement, AssignmentStmt)
    return _listed(value, file, depth) if value is not None and is_bound else None


def _is_passed(binding: LocalBinding, variable: Var, file: CheckedFile, depth: int) -> bool:
    """Whether more than an annotation says what a parameter holds: it is `*xs`, or a call of the file passes such."""
    function = binding.statement
    if not isinstance(function, FuncDef) or not depth:
        return False
    names, kinds = function.arg_names, function.arg_kinds
    index = names.index(variable.name)
    if kinds[index] is ArgKind.ARG_STAR:
        return True
    before = index - (bool(function.info) and not function.is_static)
    calls = uses_of(file, function).calls(CERTAIN)
    given = (argument(call, before, variable.name) for call in calls)
    return any(one is not None and _listed(one, file, depth - 1) is not None for one in given)


def _of_type(declared: Type) -> str | None:
    typ = get_proper_type(declared)
    if isinstance(typ, TupleType):
        return _of_type(typ.partial_fallback)
    return LISTS.get(typ.type.fullname) if isinstance(typ, Instance) else None
