"""Statements that drop a changed copy: the call does nothing but return it, so nothing changes."""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import (
    ARG_STAR,
    AssignmentStmt,
    CallExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.types import AnyType, Instance, ProperType, TupleType, Type, TypeVarType, UnionType, get_proper_type

from ..classes import class_model
from ..classes.array_holders import is_array
from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..knowledge import naming
from ..knowledge.function_rows import Effect
from ..knowledge.members import CHANGING_METHODS, COPYING_METHODS, UPDATING_METHODS
from ..libraries import known_function
from ..reach.file_program import is_in_test
from ..source.bindings import bindings_of
from ..source.checked_file import CheckedFile, once_per_file
from ..source.expected import is_error_expected
from ..source.parameters import parameters
from ..source.surroundings import surroundings
from ..syntax.changes import updated_by_index
from ..syntax.imports import full_name, names_read
from ..syntax.names import base_of, last_name
from .declared_types import declared_type, return_types, says_nothing
from .only_computing import only_computes

_COPYING: Final = Effect.COPIES | Effect.ONLY_RETURNS
_IN_PLACE: Final = "inplace"


class Way(Enum):
    """How a call says what it copies."""

    FUNCTION = auto()  # `dataclasses.replace(x, ...)`
    INDEXED = auto()  # `x.at[i].set(...)`
    METHOD = auto()  # `x.replace(...)`


class Dropped(NamedTuple):
    """A statement that is such a call, as far as its syntax tells."""

    call: CallExpr
    way: Way
    owner: Expression  # what is copied, or what is called


@once_per_file
def calls_dropped(file: CheckedFile) -> Mapping[FuncItem | None, Sequence[Dropped]]:
    """Those of a file, by the outermost function around them."""
    found: dict[FuncItem | None, list[Dropped]] = {}
    for node in file.by_kind.of(ExpressionStmt):
        dropped = _read(node.expr, file) if isinstance(node.expr, CallExpr) else None
        if dropped is not None and not _is_meant(dropped.call, file):
            found.setdefault(_outermost(dropped.call, file), []).append(dropped)
    return found


def _read(call: CallExpr, file: CheckedFile) -> Dropped | None:
    callee = call.callee
    if not call.args or _IN_PLACE in call.arg_names:
        return None
    row = known_function(full_name(callee, file.tree))
    if row.effects & _COPYING or row.updates is not None:
        return Dropped(call, Way.FUNCTION, callee)
    if Effect.MAPS_LEAVES in row.effects and only_computes(call.args[0], file):
        return Dropped(call, Way.FUNCTION, callee)
    if not isinstance(callee, MemberExpr):
        return None
    if callee.name in UPDATING_METHODS and (updated := updated_by_index(callee.expr)) is not None:
        return Dropped(call, Way.INDEXED, updated)
    return Dropped(call, Way.METHOD, callee.expr) if callee.name in COPYING_METHODS else None


def _is_meant(call: CallExpr, file: CheckedFile) -> bool:
    """Whether the call is there to see whether it raises."""
    return is_in_test(call.line, file) or is_error_expected(call, file)


def _outermost(node: Node, file: CheckedFile) -> FuncItem | None:
    return next((part for part in reversed(surroundings(node, file).around) if isinstance(part, FuncItem)), None)


def does_nothing(dropped: Dropped, file: CheckedFile, *, is_traced: bool = False) -> bool:
    """Whether a call only returns a changed copy, by the types of the function that mypy is checking.

    `is_traced`: the types are those that the source declares, and what has none is taken for an array or a pytree.
    """
    if dropped.way is Way.FUNCTION:
        return True
    typ = declared_type(dropped.owner) if is_traced else _type(dropped.owner, file)
    is_unknown = is_traced if typ is None else isinstance(typ, AnyType)
    if dropped.way is Way.INDEXED:
        if is_unknown:
            return not _may_change_in_place(dropped, file)
        return not _is_named_ref(dropped.owner) and any(is_array(part.type) for part in _instances(typ))
    if is_unknown:
        return _is_copying_call(dropped, file, is_traced=is_traced)
    return any(_copies(part.type, last_name(dropped.call.callee), file) for part in _instances(typ))


def does_nothing_untyped(dropped: Dropped, file: CheckedFile) -> bool:
    """The same of any function, by its syntax alone: for a parameter without an annotation."""
    root = base_of(dropped.owner)
    variable = root.node if isinstance(root, NameExpr) else None
    if dropped.way is Way.FUNCTION or not isinstance(variable, Var) or not _is_unannotated(variable, dropped, file):
        return False
    made = (binding.value for binding in bindings_of(variable, file))
    if any(isinstance(value, CallExpr) and naming.is_class(last_name(value.callee)) for value in made):
        return False
    if dropped.way is Way.INDEXED:
        return not _may_change_in_place(dropped, file)
    return _is_copying_call(dropped, file, is_traced=False)


def _is_unannotated(variable: Var, dropped: Dropped, file: CheckedFile) -> bool:
    functions = (part for part in surroundings(dropped.call, file).around if isinstance(part, FuncItem))
    found = (parameter for function in functions for parameter in parameters(function))
    return not variable.is_self and any(
        parameter.variable is variable and says_nothing(parameter.type, file.settings) for parameter in found
    )


def _type(node: Expression, file: CheckedFile) -> ProperType | None:
    """The type of an expression; None if mypy has not come to it yet."""
    typ = mypy_api.type_of_expression(file.api, node)
    return typ if typ is not None else declared_type(node)


def _instances(typ: Type | None) -> Iterator[Instance]:
    proper = get_proper_type(typ)
    if isinstance(proper, Instance):
        yield proper
    elif isinstance(proper, TupleType):
        yield proper.partial_fallback
    elif isinstance(proper, TypeVarType):
        yield from _instances(proper.upper_bound)
    elif isinstance(proper, UnionType):
        yield from (instance for item in proper.items for instance in _instances(item))


def _may_change_in_place(dropped: Dropped, file: CheckedFile) -> bool:
    """Whether `x.at[i].set(y)` may write to a mutable array, to a set in a data frame, or to a class of its own."""
    if _is_named_ref(dropped.owner) or _has_refs(file) or _has_own(file, "at"):
        return True
    is_of_cells = last_name(dropped.call.callee) in CHANGING_METHODS
    return is_of_cells and any(map(naming.is_of_frames, names_read(file.tree)))


def _is_named_ref(owner: Expression) -> bool:
    return naming.is_ref(last_name(base_of(owner)))


@once_per_file
def _has_refs(file: CheckedFile) -> bool:
    if any(map(naming.is_of_refs, names_read(file.tree))):
        return True
    calls = file.calls
    return any(Effect.MAKES_REF in known_function(full_name(call.callee, file.tree)).effects for call in calls)


@once_per_file
def _has_own(file: CheckedFile, member: str) -> bool:
    """Whether a class of the file, or one that it imports, has a member of this name."""
    infos = (symbol.node for symbol in file.tree.names.values() if isinstance(symbol.node, TypeInfo))
    return any(member in info.names and not is_array(info) for info in infos)


def _is_copying_call(dropped: Dropped, file: CheckedFile, *, is_traced: bool) -> bool:
    """Whether a method of an object of unknown class is called as those that copy are: by keywords alone."""
    name, keywords = last_name(dropped.call.callee), dropped.call.arg_names
    if any(kind.is_positional() or kind is ARG_STAR for kind in dropped.call.arg_kinds) or _has_own(file, name):
        return False
    if _is_assigned_elsewhere(dropped, file):
        return True
    if None in keywords:
        return False
    known_by = COPYING_METHODS[name]
    if known_by:
        return known_by in keywords
    return naming.is_private(name) or is_traced


def _is_assigned_elsewhere(dropped: Dropped, file: CheckedFile) -> bool:
    """Whether the variable is given what the same method of it returns: `state = state.replace(n=1)`."""
    name, owner = last_name(dropped.call.callee), dropped.owner
    variable = owner.node if isinstance(owner, NameExpr) else None
    for node in file.by_kind.of(AssignmentStmt):
        callee = node.rvalue.callee if isinstance(node.rvalue, CallExpr) else None
        is_same = isinstance(callee, MemberExpr) and callee.name == name and _is_name_of(callee.expr, variable)
        if is_same and any(_is_name_of(target, variable) for target in node.lvalues):
            return True
    return False


def _is_name_of(node: Node, variable: SymbolNode | None) -> bool:
    return variable is not None and isinstance(node, NameExpr) and node.node is variable


def _copies(info: TypeInfo, method: str, file: CheckedFile) -> bool:
    """Whether a method of an object that cannot change returns another one of its class."""
    record_dependency(file.api, {info})
    symbol = info.get(method)
    if symbol is None:
        return class_model.is_pytree(info) and method == "replace"  # Flax and chex add it where mypy does not see it
    if info.is_named_tuple and method == "_replace":
        return True
    node = symbol.node
    if node is not None and known_function(node.fullname or "").effects & _COPYING:
        return True
    if not isinstance(node, FuncDef) or class_model.declaration_of(info) is None or class_model.mutability(info):
        return False
    returned = (instance for typ in return_types(node) for instance in _instances(typ))
    return any(instance.type in info.mro[:-1] for instance in returned)
