"""The signatures of compiled functions: for calls, and for checking the lists of a jit call."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from mypy.nodes import (
    ARG_STAR,
    ARG_STAR2,
    NOT_ABSTRACT,
    Argument,
    Context,
    Decorator,
    Expression,
    FuncDef,
    RefExpr,
    SymbolNode,
    TempNode,
)
from mypy.types import CallableType, Instance, Overloaded, Parameters, ProperType, Type, get_proper_type

from ..compat import mypy_api
from ..knowledge.full_names import PARTIAL
from ..knowledge.type_rows import Trait
from ..libraries import COMPILED_TYPES, FILTERED_TYPES, types_with
from ..syntax.partials import is_open_partial

Signature = CallableType | Parameters

# The return type of `functools.wraps`. Its first argument has the parameters of the wrapped function, as JAX sees it.
_WRAPPED: Final = "functools._Wrapped"
_OPAQUE: Final = types_with(Trait.OPAQUE)
# What else has a signature and a `__call__`.
_OTHER_CALLABLES: Final = FILTERED_TYPES | {"builtins.function", PARTIAL}


class CallForms(NamedTuple):
    """How arguments can be passed to a signature: by position, by name, or as `*args` and `**kwargs`."""

    positional: list[int]  # indices of parameters, in order
    named: dict[str, int]
    takes_any_position: bool
    takes_any_name: bool


def call_forms(signature: Signature) -> CallForms:
    kinds = signature.arg_kinds
    # Parameters from the first that a partial binds by keyword on can only be passed by keyword.
    positional = list(takewhile(lambda index: kinds[index].is_positional(), range(len(kinds))))
    named = {
        name: index
        for index, (name, kind) in enumerate(zip(signature.arg_names, kinds, strict=True))
        if name is not None and not kind.is_star()
    }
    return CallForms(positional, named, ARG_STAR in kinds, ARG_STAR2 in kinds)


def function_name(signature: Signature) -> str:
    """The name as users write it; empty if there is none. mypy names a method `step of Model`."""
    name = signature.name or "" if isinstance(signature, CallableType) else ""
    function, _, owner = name.partition(" of ")
    if name.startswith("<"):
        return ""
    return f"{owner}.{function}" if owner else function


def called_signatures(typ: Type, context: Context) -> list[CallableType]:
    """The signatures of what is compiled; none for a class, or for what is not known to be callable."""
    proper = get_proper_type(typ)
    called: ProperType | None = proper
    if isinstance(proper, Instance) and proper.type.fullname in _OPAQUE and isinstance(context, Decorator):
        called = get_proper_type(context.func.type)  # another compiler hides it
    elif isinstance(proper, Instance):
        called = get_proper_type(mypy_api.call_method(proper))
    items = called.items if isinstance(called, Overloaded) else [called]
    known = (_with_names(item, context) for item in items if isinstance(item, CallableType) and not item.is_type_obj())
    return [signature for signature in known if signature is not None]


def _with_names(signature: CallableType, context: Context) -> CallableType | None:
    """Restores the names of an operator method's parameters, which mypy drops from types such as that of `__matmul__`.

    None if it is not the decorated function: mypy's cache keeps no names for the methods of other files.
    """
    function = signature.definition.func if isinstance(signature.definition, Decorator) else signature.definition
    if None not in signature.arg_names or not isinstance(function, FuncDef):
        return signature
    if not function.info or not function.name.startswith("__"):
        return signature
    if not isinstance(context, Decorator) or context.func is not function:
        return None
    if function.arg_kinds != signature.arg_kinds:
        return signature
    names = [None if argument.kind.is_star() else argument.variable.name for argument in function.arguments]
    return signature.copy_modified(arg_names=names)


def claimed_signatures(typ: Type, expression: Expression, context: Context) -> Sequence[Signature]:
    """The signatures to check lists against; none if the function may take more than its type says."""
    found = [] if is_open_partial(expression) else _claimed(get_proper_type(typ), context)
    return found if all(_is_complete(signature, expression, context) for signature in found) else []


def _claimed(typ: ProperType, context: Context) -> Sequence[Signature]:
    if isinstance(typ, Instance) and typ.type.fullname == _WRAPPED:
        wrapped = get_proper_type(typ.args[0])
        return [wrapped] if isinstance(wrapped, Parameters) else []
    if isinstance(typ, Instance) and (typ.type.is_protocol or typ.type.is_abstract):
        return []
    if isinstance(typ, CallableType) and typ.is_type_obj():
        info = typ.type_object()
        return [typ] if info.metaclass_type is None and not info.fallback_to_any and not info.is_abstract else []
    return called_signatures(typ, context)


def _is_complete(signature: Signature, expression: Expression, context: Context) -> bool:
    """Whether all parameters and their names are known: a `Callable[[int], int]` leaves out names and defaults."""
    if signature.is_ellipsis_args or (isinstance(signature, CallableType) and _is_abstract(signature.definition)):
        return False
    is_function = isinstance(expression, RefExpr) and isinstance(expression.node, FuncDef)
    has_names = all(name is not None for name in signature.arg_names)
    return has_names or is_function or bool(decorated_arguments(context, expression, signature))


def _is_abstract(definition: SymbolNode | None) -> bool:
    """Whether subclasses implement a function, perhaps with more parameters."""
    function = definition.func if isinstance(definition, Decorator) else definition
    return isinstance(function, FuncDef) and function.abstract_status != NOT_ABSTRACT


def _may_be_named(argument: Argument, name: str | None) -> bool:
    return name == argument.variable.name or (name is None and argument.pos_only)


def decorated_arguments(context: Context, expression: Expression, signature: Signature) -> list[Argument]:
    """The parameters as a decorated function declares them; empty for any other function.

    Also empty if an inner decorator changed the signature.
    """
    if not isinstance(context, Decorator) or not isinstance(expression, TempNode):
        return []
    arguments = context.func.arguments
    kinds = [argument.kind for argument in arguments]
    fits = kinds == signature.arg_kinds and all(map(_may_be_named, arguments, signature.arg_names))
    return arguments if fits else []


def is_jitted(typ: Type | None) -> bool:
    """Whether a value is a compiled function whose parameters are known."""
    proper = get_proper_type(typ)
    if isinstance(proper, Overloaded):
        proper = proper.items[0]
    if not isinstance(proper, CallableType):
        return False
    return proper.fallback.type.fullname in COMPILED_TYPES or _is_callable_object(proper)


def _is_callable_object(typ: CallableType) -> bool:
    """Whether a wrapper is an object with a `__call__`, of a class of the program."""
    made = typ.fallback.type
    return not typ.is_type_obj() and "__call__" in made.names and made.fullname not in _OTHER_CALLABLES


def is_filtered(typ: Type | None) -> bool:
    """Whether a value is a compiled function that traces only the arrays in its arguments."""
    proper = get_proper_type(typ)
    return isinstance(proper, CallableType) and proper.fallback.type.fullname in FILTERED_TYPES
