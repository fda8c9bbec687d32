"""Finds out how a function reaches JAX: through its decorators, or as an argument of a call."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, FuncItem, LambdaExpr, MemberExpr, RefExpr, Var

from ..config.settings import Settings
from ..knowledge.function_rows import Effect
from ..libraries import JIT_FUNCTIONS, functions_with
from ..syntax.decorators import applied
from ..syntax.trees import function_of, is_self
from .checked_file import CheckedFile, NameUse, once_per_file
from .traced_calls import TracedCall, traced_calls

# Decorators that hand the function on as it is, and `property`, which calls it.
_TRANSPARENT: Final = functions_with(Effect.SAME_FUNCTION) | {"builtins.property"}


def transformations(decorator: Decorator, file: CheckedFile) -> Iterator[TracedCall]:
    """Yields the transformations that decorate a function, innermost first, up to the first unknown decorator."""
    for node in reversed(decorator.original_decorators):
        named = node.callee if isinstance(node, CallExpr) else node
        if isinstance(named, RefExpr) and named.fullname in _TRANSPARENT:
            continue
        traced = _transformation(node, file)
        if traced is None:
            break
        yield traced


def _transformation(decorator: Expression, file: CheckedFile) -> TracedCall | None:
    if isinstance(decorator, RefExpr) and (bound := _bound_once(decorator, file)) is not None:
        decorator = bound
    return next(traced_calls(applied(decorator), file), None)


def _bound_once(decorator: RefExpr, file: CheckedFile) -> Expression | None:
    """`jit_n = partial(jax.jit, static_argnames="n")`, bound once in this file."""
    if not isinstance(decorator.node, Var):
        return None
    bound = file.assigned.get(decorator.node, [])
    return bound[0] if len(bound) == 1 and isinstance(bound[0], CallExpr) else None


def is_transformed_by_decorator(function: FuncDef, file: CheckedFile) -> bool:
    """Whether a decorator traces the function, and mypy calls our hook for that decorator."""
    decorator = file.decorators.get(function)
    if decorator is None or next(transformations(decorator, file), None) is None:
        return False
    return any(_has_hook(node, file.settings) for node in decorator.original_decorators)


def _has_hook(decorator: Expression, settings: Settings) -> bool:
    """mypy calls no hook of ours for `@partial(jax.vmap, ...)`, which compiles nothing by itself."""
    if not isinstance(decorator, RefExpr):
        return isinstance(decorator, CallExpr) and any(
            isinstance(node, RefExpr) and (node.fullname in JIT_FUNCTIONS or node.fullname in settings.jit_functions)
            for node in (decorator.callee, *decorator.args[:1])
        )
    return True


def calls_of_lambda(function: LambdaExpr, file: CheckedFile) -> list[TracedCall]:
    """How JAX traces a lambda that is an argument of a call."""
    call = file.lambda_calls.get(function)
    traced = traced_calls(call, file) if call is not None else ()
    return [one for one in traced if one.function is function]


def handing_calls(function: FuncItem, file: CheckedFile) -> list[tuple[CallExpr, TracedCall]]:
    """The calls that pass a module-level function or a method to JAX; none if the function is used in any other way."""
    uses = file.uses_by_name.get(function.name, [])
    if function.info:
        replacing = file.replaced_methods.get(function.name, [])
        uses = [use for use in uses if use.call in replacing] or uses
    handing = [(use.call, traced) for use in uses if use.call is not None and (traced := _traced(function, use, file))]
    return handing if len(handing) == len(uses) else []


def _traced(function: FuncItem, use: NameUse, file: CheckedFile) -> TracedCall | None:
    for traced in calls_tracing(use, file):
        handed = _own_method(function, traced, file) if function.info else traced
        if handed is not None and (function.info or function_of(traced.function) is function):
            return handed
    return None


def calls_tracing(use: NameUse, file: CheckedFile) -> Iterator[TracedCall]:
    """How JAX traces a function at one use of its name."""
    if use.call is not None:
        yield from (traced for traced in traced_calls(use.call, file) if traced.function is use.expression)


def _own_method(function: FuncItem, traced: TracedCall, file: CheckedFile) -> TracedCall | None:
    """Handles `jax.jit(self.step)` if only one method in the file has this name: `self` is bound, so not traced."""
    node = traced.function
    if not isinstance(node, MemberExpr) or not is_self(node.expr):
        return None
    if len(file.functions_named[function.name]) > 1 or function.is_static or function.is_class:
        return None
    return traced.of_method()


def handed_over(call: CallExpr, file: CheckedFile) -> Iterator[FuncDef]:
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


def handed_lambdas(call: CallExpr, file: CheckedFile) -> Iterator[LambdaExpr]:
    for traced in traced_calls(call, file):
        if isinstance(traced.function, LambdaExpr):
            yield traced.function


def is_handed_over(function: FuncDef, file: CheckedFile) -> bool:
    return _first_call(file, function) is not None


@once_per_file
def _first_call(file: CheckedFile, function: FuncDef) -> CallExpr | None:
    names = function.info.names if function.info else file.tree.names
    is_outermost = function.name in names and names[function.name].node is function
    if not is_outermost or function not in file.functions_named.get(function.name, ()):
        return None  # nested, or from another module, which may have no body to look at
    return next((call for call, _ in handing_calls(function, file)), None)
