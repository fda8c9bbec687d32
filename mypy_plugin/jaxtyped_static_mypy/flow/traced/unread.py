"""Annotations that tell mypy nothing: names for `Any`, `Any` itself, and classes of packages without types."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import CallExpr, ComparisonExpr, Expression, FuncDef, FuncItem, MatchStmt, NameExpr, Node, SymbolNode
from mypy.types import (
    AnyType,
    ProperType,
    RawExpressionType,
    Type,
    TypeAliasType,
    TypeOfAny,
    UnboundType,
    UnionType,
    get_proper_type,
)

from ...facts.functions.array_uses import array_uses
from ...facts.functions.scope import ModuleNames
from ...knowledge import naming
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
    return parameter.variable not in _asked_for_kind(file, function)


@once_per_file
def _asked_for_kind(file: CheckedFile, function: FuncItem) -> frozenset[SymbolNode]:
    """The variables of which a function asks what they are, read once for all of its parameters."""
    parts = (part for node in nodes_below(function.body) for part in _parts_asked(node))
    return frozenset(part.node for part in parts if isinstance(part, NameExpr) and part.node is not None)


def _parts_asked(node: Node) -> Sequence[Expression]:
    if isinstance(node, ComparisonExpr):
        return node.operands if not CONCRETE_OPERATORS.isdisjoint(node.operators) else ()
    if isinstance(node, CallExpr):
        asks = Effect.TELLS_KIND in known_function(getattr(node.callee, "fullname", "")).effects
        return node.args if asks else ()
    return (node.subject,) if isinstance(node, MatchStmt) else ()


def says_scalar(written: Type | None) -> bool:
    """Whether an annotation is for an array without dimensions: `Int[Array, ""]`, `Float[Scalar, ""]`, `Scalar`."""
    if isinstance(written, RawExpressionType):
        return isinstance(written.literal_value, str) and not written.literal_value.strip()
    if not isinstance(written, UnboundType):
        return False
    return naming.is_scalar_type(written.name.rpartition(".")[2]) or any(map(says_scalar, written.args))


def is_array_by_name(function: FuncItem, parameter: Parameter, file: CheckedFile) -> bool:
    """Whether a parameter is declared by a library's name for arrays, where mypy does not see the library's types."""
    typ = get_proper_type(parameter.type)
    if not isinstance(typ, AnyType) or typ.type_of_any != TypeOfAny.from_unimported_type:
        return False
    written = function.arguments[parameter.position].type_annotation
    return isinstance(written, UnboundType) and imported_name(file.tree, written.name) in TRACED_ALIASES
