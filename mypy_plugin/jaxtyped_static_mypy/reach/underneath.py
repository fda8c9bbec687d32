"""The function that jit compiles, below decorators that pass its calls on."""

from typing import Final, NamedTuple

from mypy.nodes import ARG_STAR, ARG_STAR2, CallExpr, Decorator, Expression, TempNode
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, Instance, ProperType, Type, TypeOfAny, UninhabitedType, get_proper_type

from ..compat import mypy_api
from ..config.settings import Settings
from ..facts.functions.keeping import record_helpers
from ..jit.sites import JitSite
from ..syntax.decorators import decorator_at
from .layers import UNREADABLE, LayerKind, Layers, Program, layers_below, layers_of, subject_of

_UNSEEN: Final = UNREADABLE - {LayerKind.REWRITES}  # not even the parameters are known


class Underneath(NamedTuple):
    """What is compiled: its type, and whether JAX sees its parameters."""

    type: Type
    shows_parameters: bool = True
    hidden_by: Expression | None = None  # a decorator that cannot be read, and has no type to go by
    is_rewritten: bool = False  # the function gets other arguments than JAX does


def program_of(ctx: FunctionContext, settings: Settings) -> Program:
    return Program(mypy_api.checked_file(ctx), mypy_api.modules_of_build(ctx.api), settings)


def underneath(ctx: FunctionContext, expression: Expression, typ: Type, settings: Settings) -> Underneath:
    """Looks below decorators, and into `jit(logged(f))`, where the type that mypy knows has no parameters."""
    program = program_of(ctx, settings)
    if isinstance(ctx.context, Decorator) and isinstance(expression, TempNode):
        below = layers_below(ctx.context, decorator_at(ctx.context, expression), program)
        found = _below_decorators(ctx.context, typ, below, mypy_api.type_of_function(ctx.api, ctx.context.func))
    else:
        below = []
        found = _in_calls(ctx, expression, typ, program, below)
    record_helpers(ctx.api, {name for layers in below for name in layers.helpers})
    return found


def without_lists(site: JitSite) -> JitSite:
    """The same jit call, with unknown lists: where JAX does not see the parameters, they mean something else."""
    return JitSite(site.function, tuple(given._replace(items=(), known=False) for given in site.lists))


def _below_decorators(decorator: Decorator, typ: Type, below: list[Layers], function: Type) -> Underneath:
    kinds = [layer.kind for layers in below for layer in layers.layers]
    shows = LayerKind.HIDES not in kinds and LayerKind.CHANGES not in kinds
    is_rewritten = LayerKind.REWRITES in kinds
    if shows_parameters(typ):
        return Underneath(typ, shows, is_rewritten=is_rewritten)
    if not _UNSEEN.isdisjoint(kinds):
        nodes = reversed(decorator.original_decorators)
        return Underneath(typ, shows, next(nodes))
    return Underneath(_with_result(function, typ) if below else typ, shows, is_rewritten=is_rewritten)


def _with_result(function: Type, typ: Type) -> Type:
    """The parameters of a function, with what its decorators return."""
    proper, outer = get_proper_type(function), get_proper_type(typ)
    if not isinstance(proper, CallableType):
        return function
    result = outer.ret_type if isinstance(outer, CallableType) else AnyType(TypeOfAny.special_form)
    return proper.copy_modified(ret_type=result)


def _in_calls(ctx: FunctionContext, node: Expression, typ: Type, program: Program, found: list[Layers]) -> Underneath:
    shows = True
    while isinstance(node, CallExpr):
        layers = layers_of(node, program)
        subject = subject_of(node, program)
        if not layers.helpers or subject is None:
            break
        found.append(layers)
        shows = shows and layers.kinds.isdisjoint({LayerKind.HIDES, LayerKind.CHANGES})
        if not layers.kinds.isdisjoint({*UNREADABLE, LayerKind.JIT}):
            break
        inner = mypy_api.type_of_expression(ctx.api, subject)
        typ = typ if shows_parameters(typ) or inner is None else inner
        node = subject
    return Underneath(typ, shows)


def shows_parameters(typ: Type) -> bool:
    """Whether a type says which parameters there are."""
    proper: ProperType = get_proper_type(typ)
    if isinstance(proper, CallableType):
        return not proper.is_ellipsis_args
    return not isinstance(proper, (AnyType, UninhabitedType)) and not _is_any_callable(proper)


def _is_any_callable(typ: ProperType) -> bool:
    """`functools._Wrapped[..., Any, ..., Any]`, and classes whose `__call__` takes anything, such as `custom_jvp`."""
    called = get_proper_type(mypy_api.call_method(typ)) if isinstance(typ, Instance) else None
    if not isinstance(called, CallableType):
        return False
    takes_anything = called.arg_kinds == [ARG_STAR, ARG_STAR2] and all(map(_is_any, called.arg_types))
    return called.is_ellipsis_args or takes_anything


def _is_any(typ: Type) -> bool:
    return isinstance(get_proper_type(typ), AnyType)
