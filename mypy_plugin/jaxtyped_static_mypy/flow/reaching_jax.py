"""Finds out how a function reaches JAX: through its decorators, or as an argument of a call."""

from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    Var,
)

from ..jit.layers import UNREADABLE, Layer, LayerKind
from ..libraries import JIT_FUNCTIONS, known_function
from ..source.bindings import only_value
from ..source.checked_file import CheckedFile, NameUse, once_per_file
from ..syntax.decorators import applied
from ..syntax.literals import literal
from ..syntax.trees import function_of, is_self
from .traced_calls import TracedCall, layers_in, passes_on, traced_again, traced_calls

_PROPERTY: Final = "builtins.property"

_Kept = frozenset[int] | None  # positions, if a wrapper changes the arguments at others


def transformations(decorator: Decorator, file: CheckedFile) -> Iterator[TracedCall]:
    """Yields the transformations that decorate a function, innermost first, up to the first unknown decorator."""
    waiting: list[tuple[CallExpr, _Kept]] = []  # those that trace again what they wrap, in a compiled program
    kept: _Kept = None
    for layer in _layers(decorator, file):
        if _rewrites(layer):
            kept = _kept(layer, decorator.func) if kept is None else kept & _kept(layer, decorator.func)
        elif layer.kind in UNREADABLE:
            break
        elif known_function(layer.function).retraces is not None:
            waiting.append((layer.call, kept))
        elif (traced := next(traced_calls(layer.call, file), None)) is not None:
            if traced.stages:
                yield from (traced_again(call).keeping(positions) for call, positions in waiting)
                waiting = []
            yield traced.keeping(kept)


def _kept(layer: Layer, function: FuncDef) -> frozenset[int]:
    """The positions of parameters for which a wrapper passes the caller's arguments on as they are."""
    keeps = literal(layer.call.args[-1]) or ()
    single = {index for index, argument in enumerate(function.arguments) if not argument.kind.is_star()}
    return frozenset(single.intersection(keeps))


def _layers(decorator: Decorator, file: CheckedFile) -> Iterator[Layer]:
    for node in reversed(decorator.original_decorators):
        if isinstance(node, RefExpr) and node.fullname == _PROPERTY:
            continue  # which calls the function
        layers = layers_in(applied(_bound_once(node, file) or node), file)
        if len(layers) > 1 and any(map(_rewrites, layers)):
            yield from takewhile(lambda layer: not _rewrites(layer), layers)
            return  # mypy calls no hook of ours for such a helper
        yield from layers


def _rewrites(layer: Layer) -> bool:
    return layer.kind is LayerKind.REWRITES


def _bound_once(decorator: Expression, file: CheckedFile) -> Expression | None:
    """`jit_n = partial(jax.jit, static_argnames="n")`, bound once in this file."""
    if not isinstance(decorator, RefExpr) or not isinstance(decorator.node, Var):
        return None
    bound = only_value(decorator.node, file)
    return bound if isinstance(bound, CallExpr) else None


def is_transformed_by_decorator(function: FuncDef, file: CheckedFile) -> bool:
    """Whether a decorator traces the function, and mypy calls our hook for that decorator."""
    decorator = file.decorators.get(function)
    if decorator is None or next(transformations(decorator, file), None) is None:
        return False
    return any(_has_hook(node, file) for node in decorator.original_decorators)


def _has_hook(decorator: Expression, file: CheckedFile) -> bool:
    """mypy calls no hook of ours for `@partial(jax.vmap, ...)`, which compiles nothing by itself."""
    if not isinstance(decorator, CallExpr):
        return isinstance(decorator, RefExpr)
    named = [node.fullname for node in (decorator.callee, *decorator.args[:1]) if isinstance(node, RefExpr)]
    if any(name in JIT_FUNCTIONS or name in file.settings.jit_functions for name in named):
        return True
    return any(layer.kind is LayerKind.JIT for layer in layers_in(applied(decorator), file))


def calls_of_lambda(function: LambdaExpr, file: CheckedFile) -> list[TracedCall]:
    """How JAX traces a lambda that is an argument of a call."""
    call = file.lambda_calls.get(function)
    traced = traced_calls(call, file) if call is not None else ()
    return [one for one in traced if one.function is function]


def passing_calls(function: FuncItem, file: CheckedFile) -> list[tuple[CallExpr, TracedCall]]:
    """The calls that pass a module-level function or a method to JAX; none if the function is used in any other way."""
    uses = file.uses_by_name.get(function.name, [])
    if not function.info:
        uses = [use for use in uses if not _means_another(use.expression, function)]
    else:
        replacing = file.replaced_methods.get(function.name, [])
        uses = [use for use in uses if use.call in replacing] or uses
    passing = [
        (call, traced) for use in uses if (call := _tracing(use, file)) and (traced := _traced(function, use, file))
    ]
    return passing if len(passing) == len(uses) else []


def _means_another(name: RefExpr, function: FuncItem) -> bool:
    """Whether a name is that of a variable, a parameter or a nested function of the same name."""
    node: Node | None = name.node
    if isinstance(node, Var):
        return True
    return isinstance(name, NameExpr) and node is not None and node is not function


def _tracing(use: NameUse, file: CheckedFile) -> CallExpr | None:
    """The call that a use may pass the function to: `jax.jit(logged(f))` as a whole."""
    call = use.call
    while call is not None and passes_on(call, file):
        call = file.calls_taking.get(call)
    return call


def _traced(function: FuncItem, use: NameUse, file: CheckedFile) -> TracedCall | None:
    for traced in calls_tracing(use, file):
        passed = _own_method(function, traced, file) if function.info else traced
        if passed is not None and (function.info or function_of(traced.function) is function):
            return passed
    return None


def calls_tracing(use: NameUse, file: CheckedFile) -> Iterator[TracedCall]:
    """How JAX traces a function at one use of its name."""
    if (call := _tracing(use, file)) is not None:
        yield from (traced for traced in traced_calls(call, file) if traced.function is use.expression)


def _own_method(function: FuncItem, traced: TracedCall, file: CheckedFile) -> TracedCall | None:
    """Handles `jax.jit(self.step)` if only one method in the file has this name: `self` is bound, so not traced."""
    node = traced.function
    if not isinstance(node, MemberExpr) or not is_self(node.expr):
        return None
    if len(file.functions_named[function.name]) > 1 or function.is_static or function.is_class:
        return None
    return traced.of_method()


def passed_functions(call: CallExpr, file: CheckedFile) -> Iterator[FuncDef]:
    """Yields the module-level functions and methods that this call passes to JAX, if no earlier call does."""
    for traced in traced_calls(call, file):
        function = _method(traced.function, file) or function_of(traced.function)
        if isinstance(function, FuncDef) and _first_call(file, function) is call:
            yield function


def _method(node: Expression, file: CheckedFile) -> FuncDef | None:
    """The method that `self.step` names."""
    if not isinstance(node, MemberExpr) or not is_self(node.expr):
        return None
    return next((function for function in file.functions_named.get(node.name, ()) if function.info), None)


def passed_lambdas(call: CallExpr, file: CheckedFile) -> Iterator[LambdaExpr]:
    for traced in traced_calls(call, file):
        if isinstance(traced.function, LambdaExpr):
            yield traced.function


def is_passed_to_jax(function: FuncDef, file: CheckedFile) -> bool:
    return _first_call(file, function) is not None


@once_per_file
def _first_call(file: CheckedFile, function: FuncDef) -> CallExpr | None:
    names = function.info.names if function.info else file.tree.names
    is_outermost = function.name in names and names[function.name].node is function
    if not is_outermost or function not in file.functions_named.get(function.name, ()):
        return None  # nested, or from another module, which may have no body to look at
    return next((call for call, _ in passing_calls(function, file)), None)
