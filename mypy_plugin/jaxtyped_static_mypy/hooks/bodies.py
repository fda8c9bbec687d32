"""Runs the checks of function bodies, each from one place.

An error belongs to what mypy is checking when it is reported, and the daemon checks each function, and the top level of
a module, separately. So a decorated function is checked at its decorator, a function that is passed to jax at the
first call that passes it, and any other function at such calls inside it. mypy may check an expression several times
and keep only the errors of the last time, so errors are remembered and reported every time.
"""

from collections.abc import Callable, Iterator

from mypy.nodes import CallExpr, Decorator, FuncDef, FuncItem, TypeAlias, TypeInfo
from mypy.plugin import FunctionContext
from mypy.types import Type

from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..config.settings import Settings
from ..facts.functions.keeping import record_helpers
from ..flow.traced.analysis import analysis_of
from ..reach.description import first_call, functions_handed_over, reach_of
from ..reporting.errors import report
from ..rules._body import Body, BodyError
from ..rules.checks import BODY_CHECKS
from ..source.checked_file import CheckedFile, checked_file, once_per_file


def check_traced_call(
    ctx: FunctionContext, settings: Settings, then: Callable[[FunctionContext], Type] | None = None
) -> Type:
    """Called for calls of functions that trace a function argument, such as `lax.scan`."""
    check_bodies(ctx, settings)
    return then(ctx) if then is not None else ctx.default_return_type


def check_bodies(ctx: FunctionContext, settings: Settings) -> None:
    """Called where a function is traced: at its decorator, or at a call that it is passed to."""
    if mypy_api.errors_are_hidden(ctx.api):
        return
    file = checked_file(ctx.api, settings)
    for function in _bodies(ctx, file):
        errors, consulted = _errors(file, function)
        for error in errors:
            is_reported = report(ctx.api, error.context, error.message, error.code)
            for note in error.notes if is_reported else ():
                mypy_api.note(ctx.api, note, error.context, error.code)
        record_dependency(ctx.api, consulted)
    record_helpers(ctx.api, file.helpers)


def _bodies(ctx: FunctionContext, file: CheckedFile) -> Iterator[FuncItem]:
    """The outermost functions that are checked from here."""
    around, node = mypy_api.outermost_function(ctx.api), ctx.context
    if isinstance(around, FuncDef):
        if not _is_checked_elsewhere(file, around):
            yield around
    elif isinstance(node, Decorator) and reach_of(file, node.func).has_hook:
        yield node.func
    if isinstance(node, CallExpr):
        yield from functions_handed_over(node, file, with_lambdas=around is None)


@once_per_file
def _is_checked_elsewhere(file: CheckedFile, function: FuncDef) -> bool:
    if function.is_decorated:
        return reach_of(file, function).has_hook
    return first_call(file, function) is not None


@once_per_file
def _errors(file: CheckedFile, function: FuncItem) -> tuple[tuple[BodyError, ...], frozenset[TypeInfo | TypeAlias]]:
    """The errors in a function, and the classes and aliases that the answer depends on."""
    analysis = analysis_of(file, function)
    body = Body(function, file, analysis, {*analysis.consulted})
    errors = tuple(error for check in BODY_CHECKS for error in check(body))
    return errors, frozenset(body.consulted)
