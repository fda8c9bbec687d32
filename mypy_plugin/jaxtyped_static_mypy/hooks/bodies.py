"""Bodies that become compiled programs: which hook looks at which of them, and hands it to the rules about bodies.

An error belongs to what mypy is checking when it is reported, and the daemon checks functions and the top level of a
module apart. So each body is looked at from one place: a decorated function from its decorator, one that is handed to
jax from the first call that does so, any other from the calls inside it. That may be more than once in a run, as mypy
tries expressions out and drops what it found: what is found is kept, and reported again.
"""

from collections.abc import Callable, Iterator

from mypy.nodes import CallExpr, Decorator, FuncDef, FuncItem, TypeAlias, TypeInfo
from mypy.plugin import FunctionContext
from mypy.types import Type

from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..config.settings import Settings
from ..flow.checked_file import CheckedFile, checked_file, once_per_file
from ..flow.handing import handed_lambdas, handed_over, is_handed_over, is_transformed_by_decorator
from ..flow.traced.analysis import analysis_of
from ..rules._body import Body, BodyError
from ..rules.checks import BODY_CHECKS


def check_traced_call(
    ctx: FunctionContext, settings: Settings, then: Callable[[FunctionContext], Type] | None = None
) -> Type:
    """Called for a function that traces what it is given."""
    check_bodies(ctx, settings)
    return then(ctx) if then is not None else ctx.default_return_type


def check_bodies(ctx: FunctionContext, settings: Settings) -> None:
    """Called where a function meets what traces it, as its decorator or in a call."""
    if mypy_api.nobody_reads_errors(ctx.api):
        return
    file = checked_file(ctx.api, settings)
    for function in _bodies(ctx, file):
        errors, consulted = _errors(file, function)
        for error in errors:
            ctx.api.fail(error.message, error.context, code=error.code)
            for note in error.notes:
                mypy_api.note(ctx.api, note, error.context, error.code)
        record_dependency(ctx.api, consulted)


def _bodies(ctx: FunctionContext, file: CheckedFile) -> Iterator[FuncItem]:
    """The outermost functions that are looked at from here."""
    around, node = mypy_api.outermost_function(ctx.api), ctx.context
    if isinstance(around, FuncDef):
        if not _is_looked_at_elsewhere(file, around):
            yield around
    elif isinstance(node, Decorator) and is_transformed_by_decorator(node.func, file):
        yield node.func
    if isinstance(node, CallExpr):
        yield from handed_over(node, file)
        yield from handed_lambdas(node, file) if around is None else ()


@once_per_file
def _is_looked_at_elsewhere(file: CheckedFile, function: FuncDef) -> bool:
    if function.is_decorated:
        return is_transformed_by_decorator(function, file)
    return is_handed_over(function, file)


@once_per_file
def _errors(file: CheckedFile, function: FuncItem) -> tuple[tuple[BodyError, ...], frozenset[TypeInfo | TypeAlias]]:
    """The errors in a function, and the classes and aliases that the answer depends on."""
    analysis = analysis_of(file, function)
    body = Body(function, file, analysis, {*analysis.consulted})
    errors = tuple(error for check in BODY_CHECKS for error in check(body))
    return errors, frozenset(body.consulted)
