"""The function that jit compiles, below decorators that pass its calls on."""

from typing import Final, NamedTuple

from mypy.nodes import ARG_STAR, ARG_STAR2, CallExpr, Decorator, Expression, RefExpr, TempNode
from mypy.types import AnyType, CallableType, Instance, ProperType, Type, TypeOfAny, UninhabitedType, get_proper_type

from ..compat import mypy_api
from ..facts.functions.keeping import record_helpers
from ..jit.application import JitCall
from ..jit.sites import JitSite
from ..knowledge.function_rows import Effect
from ..libraries import known_function
from ..source.checked_file import CheckedFile
from ..syntax.decorators import decorator_at
from .layers import UNREADABLE, LayerKind, Layers, Names, layers_below, layers_of, layers_of_decorator, subject_of

_OTHER_PARAMETERS: Final = frozenset({LayerKind.HIDES, LayerKind.CHANGES})  # JAX sees others than the function's own
_UNSEEN: Final = UNREADABLE - {LayerKind.REWRITES}  # not even the parameters are known


class CompiledFunction(NamedTuple):
    """What is compiled: its type, and whether JAX sees its parameters."""

    type: Type
    shows_parameters: bool = True
    hidden_by: Expression | None = None  # a decorator that cannot be read, and has no type to go by
    is_rewritten: bool = False  # the function gets other arguments than JAX does
    is_filled: bool = False  # a decorator may pass what callers leave out


def compiled_function(call: JitCall, typ: Type) -> CompiledFunction:
    """Looks below decorators, and into `jit(logged(f))`, where the type that mypy knows has no parameters."""
    context, file = call.context, call.file
    if isinstance(context, Decorator) and isinstance(call.expression, TempNode):
        below = layers_below(context, decorator_at(context, call.expression), Names.of(file))
        found = _below_decorators(context, typ, below, mypy_api.type_of_function(file.api, context.func))
    else:
        below = []
        found = _in_calls(call, typ, below)
    record_helpers(file.api, {name for layers in below for name in layers.helpers})
    functions = (layer.function for layers in below for layer in layers.layers)
    return found._replace(is_filled=any(Effect.FILLS_ARGUMENTS in known_function(name).effects for name in functions))


def with_unknown_lists(site: JitSite) -> JitSite:
    """The site, with unknown lists: where JAX does not see the parameters, they mean something else."""
    return JitSite(site.function, tuple(given._replace(items=(), known=False) for given in site.lists))


def _below_decorators(decorator: Decorator, typ: Type, below: list[Layers], function: Type) -> CompiledFunction:
    kinds = [layer.kind for layers in below for layer in layers.layers]
    shows = _OTHER_PARAMETERS.isdisjoint(kinds)
    is_rewritten = LayerKind.REWRITES in kinds
    if shows_parameters(typ):
        return CompiledFunction(typ, shows, is_rewritten=is_rewritten)
    if not _UNSEEN.isdisjoint(kinds):
        nodes = zip(reversed(decorator.original_decorators), below, strict=False)
        hiding = next(node for node, layers in nodes if not _UNSEEN.isdisjoint(layers.kinds))
        return CompiledFunction(typ, shows, hiding)
    return CompiledFunction(_with_result(function, typ) if below else typ, shows, is_rewritten=is_rewritten)


def _with_result(function: Type, typ: Type) -> Type:
    """The parameters of a function, with what its decorators return."""
    proper, outer = get_proper_type(function), get_proper_type(typ)
    if not isinstance(proper, CallableType):
        return function
    is_known = isinstance(outer, CallableType) and not _is_never(outer.ret_type)
    result = outer.ret_type if is_known and isinstance(outer, CallableType) else AnyType(TypeOfAny.special_form)
    return proper.copy_modified(ret_type=result)


def _in_calls(call: JitCall, typ: Type, found: list[Layers]) -> CompiledFunction:
    node, names = call.expression, Names.of(call.file)
    while isinstance(node, CallExpr):
        layers = layers_of(node, names)
        subject = subject_of(node, names)
        if not layers.helpers or subject is None:
            break
        found.append(layers)
        if not layers.kinds.isdisjoint({*UNREADABLE, LayerKind.JIT}):
            break
        inner = mypy_api.type_of_expression(call.file.api, subject)
        typ = typ if shows_parameters(typ) or inner is None else inner
        node = subject
    named = _layers_of_named(node, call.file)
    is_read = bool(named) and all(layers.kinds.isdisjoint({*UNREADABLE, LayerKind.JIT}) for layers in named)
    if is_read and not shows_parameters(typ) and isinstance(node, RefExpr) and isinstance(node.node, Decorator):
        typ = _with_result(mypy_api.type_of_function(call.file.api, node.node.func), typ)
    found += named
    shows = all(layers.kinds.isdisjoint(_OTHER_PARAMETERS) for layers in found)
    return CompiledFunction(typ, shows)


def _layers_of_named(node: Expression, file: CheckedFile) -> list[Layers]:
    """What the decorators of a function of the file do; other files keep no decorators in mypy's cache."""
    function = node.node if isinstance(node, RefExpr) else None
    if not isinstance(function, Decorator) or function.func not in file.decorators:
        return []
    names = Names.of(file)
    return [layers_of_decorator(decorator, names) for decorator in function.original_decorators]


def shows_parameters(typ: Type) -> bool:
    """Whether a type says which parameters there are."""
    proper: ProperType = get_proper_type(typ)
    if isinstance(proper, CallableType):
        return not proper.is_ellipsis_args and not _is_unsolved(proper)
    return not isinstance(proper, (AnyType, UninhabitedType)) and not _is_any_callable(proper)


def _is_unsolved(typ: CallableType) -> bool:
    """`def (*Never, **Never)`: a `Callable[P, R]` whose `P` nothing says, as in `def deco(f) -> Callable[P, R]`."""
    return typ.arg_kinds == [ARG_STAR, ARG_STAR2] and all(map(_is_never, typ.arg_types))


def _is_any_callable(typ: ProperType) -> bool:
    """`functools._Wrapped[..., Any, ..., Any]`, and classes whose `__call__` takes anything, such as `custom_jvp`."""
    called = get_proper_type(mypy_api.call_method(typ)) if isinstance(typ, Instance) else None
    if not isinstance(called, CallableType):
        return False
    takes_anything = called.arg_kinds == [ARG_STAR, ARG_STAR2] and all(map(_is_any, called.arg_types))
    return called.is_ellipsis_args or takes_anything


def _is_never(typ: Type) -> bool:
    return isinstance(get_proper_type(typ), UninhabitedType)


def _is_any(typ: Type) -> bool:
    return isinstance(get_proper_type(typ), AnyType)
