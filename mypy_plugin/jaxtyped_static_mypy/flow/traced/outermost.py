"""Which outermost functions of a file are given to jax: by their decorators, or by calls that hand them over."""

from collections.abc import Iterator

from mypy.nodes import CallExpr, Expression, FuncDef, LambdaExpr, MemberExpr, RefExpr

from ...config.settings import Settings
from ...jit.sites import JIT_FUNCTIONS
from ...syntax.trees import is_self
from ..checked_file import CheckedFile, once_per_file
from .callbacks import traced_calls
from .calls import function_of
from .uses import handing_calls, transformations


def is_transformed_by_decorator(function: FuncDef, file: CheckedFile) -> bool:
    """Whether a decorator traces the function, in a form in which mypy asks our hook about it."""
    decorator = file.decorators.get(function)
    if decorator is None or next(transformations(decorator, file), None) is None:
        return False
    return any(_has_hook(node, file.settings) for node in decorator.original_decorators)


def _has_hook(decorator: Expression, settings: Settings) -> bool:
    """Of `@partial(jax.vmap, ...)`, which compiles nothing by itself, no hook is asked."""
    if not isinstance(decorator, RefExpr):
        return isinstance(decorator, CallExpr) and any(
            isinstance(node, RefExpr) and (node.fullname in JIT_FUNCTIONS or node.fullname in settings.jit_functions)
            for node in (decorator.callee, *decorator.args[:1])
        )
    return True


def handed_over(call: CallExpr, file: CheckedFile) -> Iterator[FuncDef]:
    """The functions at module level, and methods, that this call, the first in the file to do so, gives to jax."""
    for traced in traced_calls(call, file):
        function = _method(traced.function, file) or function_of(traced.function)
        if isinstance(function, FuncDef) and _first_call(file, function) is call:
            yield function


def _method(node: Expression, file: CheckedFile) -> FuncDef | None:
    """What `self.step` is."""
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
        return None  # of another module, no body may be there to be looked at
    return next((call for call, _ in handing_calls(function, file)), None)
