"""Whether a variable that a new function captures holds what JAX takes as a static argument only."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Context,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    TypeInfo,
    Var,
)
from mypy.types import AnyType, CallableType, Instance, Type, get_proper_type

from ...classes import roles
from ...classes.hashing import hashing, is_hashable
from ...classes.reasons import BY_IDENTITY
from ...compat.dependencies import record_dependency
from ...judgement.judge import can_be_static
from ...knowledge.full_names import JAX, NUMPY
from ...knowledge.members import SPREAD_OF_METHODS
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.compiled_in import code_of
from ...source.surroundings import surroundings
from ...syntax.imports import full_name
from ...syntax.literals import is_none
from ...syntax.names import last_name
from ...syntax.paths import variables_of
from ...syntax.trees import nodes_below
from ..declared_types import declared_type
from ..made import constructed
from ..traced.given import given_expressions

_UNHASHABLE: Final = frozenset({"builtins.dict", "builtins.list", "builtins.set"})
# What takes no objects but numbers and arrays, beside the functions of JAX and NumPy.
_OF_NUMBERS: Final = frozenset({"abs", "float", "int", "len", "max", "min", "range", "round", *SPREAD_OF_METHODS})


def is_static_only(use: NameExpr, node: Context, file: CheckedFile) -> bool:
    """Whether what `use` names, which the new function at `node` captures, has to be a static argument, and can be.

    That is a function, a text, a size, or an object that JAX does not trace. Of an object of unknown class nothing is
    said: it may be a pytree, whose arrays have no hash.
    """
    if is_of_method(use):
        return False
    if _is_function(use, file):
        return True
    function = node.func if isinstance(node, Decorator) else node
    if not isinstance(function, FuncItem) or use.name not in _code_captured(function, file):
        return False
    declared = get_proper_type(declared_type(use))
    if isinstance(declared, Instance):
        return _can_be_hashed(declared.type, declared, file)
    if declared is not None and not isinstance(declared, AnyType):
        return False
    made = made_by(use, file)
    if isinstance(made, CallExpr) and (cls := constructed(made)) is not None:
        return _can_be_hashed(cls, Instance(cls, []), file)
    return use.name not in set(_objects_in(function, file))


def _can_be_hashed(info: TypeInfo, typ: Type, file: CheckedFile) -> bool:
    """Whether objects of a class are no pytrees, and have a hash: by identity, or none that asks arrays for theirs."""
    if info.fullname in _UNHASHABLE or info.is_named_tuple or roles.is_pytree(info) or not is_hashable(info):
        return False
    is_plain, consulted = can_be_static(typ, file.settings)
    record_dependency(file.api, consulted)
    return is_plain or hashing(info) in BY_IDENTITY


def _objects_in(function: FuncItem, file: CheckedFile) -> Iterator[str]:
    """The names that a function uses in a way that numbers and texts are not, or that may be None or an array."""
    for node in nodes_below(function):
        if isinstance(node, (MemberExpr, IndexExpr)):
            yield from _names([node.expr if isinstance(node, MemberExpr) else node.base])
        elif isinstance(node, CallExpr):
            yield from variables_of(code_of(file).called_by(node))
            yield from () if _takes_numbers(node, file) else _names(node.args)
        elif isinstance(node, ComparisonExpr) and any(map(is_none, node.operands)):
            yield from _names(node.operands)


def _takes_numbers(call: CallExpr, file: CheckedFile) -> bool:
    name = full_name(call.callee, file.tree)
    return last_name(call.callee) in _OF_NUMBERS or name.startswith((JAX, f"{NUMPY}."))


def _names(nodes: list[Expression]) -> Iterator[str]:
    return (node.name for node in nodes if isinstance(node, NameExpr))


def _is_function(name: NameExpr, file: CheckedFile) -> bool:
    """Whether a variable holds a function, which JAX takes as a static argument only.

    It is declared as one; or it is a parameter without annotation, for which the calls of the file pass functions.
    """
    declared = declared_type(name)
    if declared is not None and not isinstance(declared, AnyType):
        return isinstance(declared, CallableType)
    takers = (function for function in surroundings(name, file).around if isinstance(function, FuncDef))
    given = [value for taker in takers for value in _given(taker, name, file)]
    return bool(given) and all(map(_makes_function, given))


def _code_captured(function: FuncItem, file: CheckedFile) -> frozenset[str]:
    """The names on which the code of a new function depends, or a size in it; none that it calls as they are."""
    calls = (part for part in nodes_below(function) if isinstance(part, CallExpr))
    called = {call.callee.name for call in calls if isinstance(call.callee, NameExpr)}
    return variables_of(code_of(file).captured(function)) - called


def _makes_function(node: Expression) -> bool:
    return isinstance(node, LambdaExpr) or isinstance(declared_type(node), CallableType)


def _given(function: FuncDef, name: NameExpr, file: CheckedFile) -> list[Expression]:
    """What the calls of a function in the file pass for a parameter, if it has that."""
    is_own = any(argument.variable is name.node for argument in function.arguments)
    return given_expressions(file, function).get(name.name, []) if is_own else []


def is_of_method(name: NameExpr) -> bool:
    """Whether it is the `self` or `cls` of a method around the function."""
    return isinstance(name.node, Var) and (name.node.is_self or name.node.is_cls)
