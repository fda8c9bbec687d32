"""The types that the source declares, of variables and of the results of functions. Inferred types are never used."""

from collections.abc import Callable, Container
from typing import Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    Node,
    OverloadedFuncDef,
    RefExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.types import AnyType, CallableType, Instance, ProperType, Type, TypeAliasType, TypeOfAny, get_proper_type

from ..config.settings import Settings
from ..knowledge.full_names import CALL_METHOD
from ..markers.marker import marker_of

_BY_NAME: Final = (TypeOfAny.explicit, TypeOfAny.special_form)  # the latter, with mypy 2.4.1

# What is known of the type of an expression.
TypeOf = Callable[[Expression], ProperType | None]


def declared_type(node: Node | None) -> ProperType | None:
    """The declared type of a variable, or of the variable that a name refers to."""
    variable = node.node if isinstance(node, RefExpr) else node
    if not isinstance(variable, Var) or variable.is_inferred or variable.type is None:
        return None
    return get_proper_type(variable.type)


def says_nothing(annotation: Type, settings: Settings) -> bool:
    """Whether an annotation says no more than none would: after `Array = Any`, mypy knows nothing of `x: Array`.

    Who writes `x: Any` says that it may be anything.
    """
    if isinstance(annotation, TypeAliasType):
        is_marked = marker_of(annotation, settings.static_markers) is not None
        typ = get_proper_type(annotation)
        return not is_marked and isinstance(typ, AnyType) and typ.type_of_any in _BY_NAME
    return isinstance(annotation, AnyType) and annotation.type_of_any == TypeOfAny.unannotated


def class_in(typ: Type | None) -> TypeInfo | None:
    """The class of an instance type; None for any other type."""
    proper = get_proper_type(typ)
    return proper.type if isinstance(proper, Instance) else None


def signatures(function: SymbolNode | None) -> list[CallableType]:
    """The declared signatures of a function; the type of a decorated one may not be inferred yet."""
    if isinstance(function, OverloadedFuncDef):
        return [signature for item in function.items for signature in signatures(item)]
    if isinstance(function, Decorator):
        function = function.func
    declared = get_proper_type(function.type) if isinstance(function, FuncDef) else declared_type(function)
    return [declared] if isinstance(declared, CallableType) else []


def return_types(function: SymbolNode | None) -> list[ProperType]:
    """The declared types of what a function returns, one for each of its signatures."""
    return [get_proper_type(signature.ret_type) for signature in signatures(function) or _of_calls(function)]


def _of_calls(variable: SymbolNode | None) -> list[CallableType]:
    """The signatures by which an object is called that a variable is declared to hold, as `jnp.minimum` is."""
    info = class_in(declared_type(variable))
    symbol = info.get(CALL_METHOD) if info is not None else None
    return signatures(symbol.node) if symbol is not None else []


def positions_with(function: SymbolNode | None, parameters: Container[str], call: CallExpr) -> list[str | None]:
    """The names of the positional parameters of the first signature that fits a call and has one of these parameters.

    A signature fits if it takes as many positional arguments.
    """
    given = sum(name is None for name in call.arg_names)
    for signature in signatures(function):
        named = list(zip(signature.arg_names, signature.arg_kinds, strict=True))
        positional = [name for name, kind in named if kind.is_positional()]
        if given <= len(positional) and any(name in parameters for name, _ in named if name is not None):
            return positional
    return []
