"""Annotations that tell mypy nothing: names for `Any`, `Any` itself, and classes of packages without types."""

from typing import Final

from mypy.nodes import CallExpr, ComparisonExpr, FuncDef, FuncItem, MatchStmt, NameExpr, Node, Var
from mypy.types import (
    AnyType,
    ProperType,
    Type,
    TypeAliasType,
    TypeOfAny,
    UnboundType,
    UnionType,
    get_proper_type,
)

from ...facts.functions.array_uses import array_uses
from ...facts.functions.scope import ModuleNames
from ...knowledge.function_rows import Effect
from ...knowledge.members import CONCRETE_OPERATORS
from ...libraries import TRACED_ALIASES, known_function
from ...source.checked_file import CheckedFile, once_per_file
from ...source.parameters import Parameter
from ...syntax.imports import imported_name
from ...syntax.trees import nodes_below
from ..declared_types import says_nothing

_UNANNOTATED: Final = AnyType(TypeOfAny.unannotated)
_UNKNOWN: Final = AnyType(TypeOfAny.from_error)


def type_to_read(function: FuncItem, parameter: Parameter, file: CheckedFile) -> Type:
    """The type of a parameter, as far as it tells what JAX traces.

    Who writes `x: Any` says that it may be anything, and what is compared with a number may be an object without
    arrays; what the function uses as an array is one.
    """
    if says_nothing(parameter.type, file.settings):
        return _UNANNOTATED
    if _is_alias_of_arrays(parameter.type) or not _may_be_anything(get_proper_type(parameter.type)):
        return parameter.type
    return _UNANNOTATED if _is_used_as_array(function, parameter, file) else _UNKNOWN


def _is_alias_of_arrays(typ: Type) -> bool:
    """Whether a library's name for arrays is declared, which stubs may open with `Any`, as those of chex do."""
    return isinstance(typ, TypeAliasType) and typ.alias is not None and typ.alias.fullname in TRACED_ALIASES


def _may_be_anything(typ: ProperType) -> bool:
    if isinstance(typ, UnionType):
        return any(_may_be_anything(get_proper_type(part)) for part in typ.items)
    return isinstance(typ, AnyType) and typ.type_of_any != TypeOfAny.unannotated


def _is_used_as_array(function: FuncItem, parameter: Parameter, file: CheckedFile) -> bool:
    return not isinstance(get_proper_type(parameter.type), UnionType) and _is_handed(function, parameter, file)


def _is_handed(function: FuncItem, parameter: Parameter, file: CheckedFile) -> bool:
    """Whether a function hands a parameter, as it was passed, to a function of JAX that takes arrays alone."""
    return isinstance(function, FuncDef) and parameter.name in _single(file, function)


@once_per_file
def _single(file: CheckedFile, function: FuncDef) -> frozenset[str]:
    names = [argument.variable.name for argument in function.arguments]
    return array_uses(function, names, ModuleNames.of(file.tree)).single


def is_surely_array(function: FuncItem, parameter: Parameter, file: CheckedFile) -> bool:
    """Whether a function uses a parameter as an array, and asks nowhere what else it may be."""
    if parameter.has_default or not _is_handed(function, parameter, file):
        return False
    return not any(_asks_for_kind(node, parameter.variable) for node in nodes_below(function.body))


def _asks_for_kind(node: Node, variable: Var) -> bool:
    if isinstance(node, ComparisonExpr):
        parts = node.operands if not CONCRETE_OPERATORS.isdisjoint(node.operators) else []
    elif isinstance(node, CallExpr):
        asks = Effect.TELLS_KIND in known_function(getattr(node.callee, "fullname", "")).effects
        parts = node.args if asks else []
    else:
        parts = [node.subject] if isinstance(node, MatchStmt) else []
    return any(isinstance(part, NameExpr) and part.node is variable for part in parts)


def is_array_by_name(function: FuncItem, parameter: Parameter, file: CheckedFile) -> bool:
    """Whether a parameter is declared by a library's name for arrays, where mypy does not see the library's types."""
    typ = get_proper_type(parameter.type)
    if not isinstance(typ, AnyType) or typ.type_of_any != TypeOfAny.from_unimported_type:
        return False
    written = function.arguments[parameter.position].type_annotation
    return isinstance(written, UnboundType) and imported_name(file.tree, written.name) in TRACED_ALIASES
