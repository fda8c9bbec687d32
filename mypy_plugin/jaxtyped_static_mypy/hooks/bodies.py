"""Runs the checks of function bodies, each from one place.

An error belongs to what mypy is checking when it is reported, and the daemon checks each function, and the top level of
a module, separately. So a decorated function is checked at its decorator, a function that is passed to jax at the
first call that passes it, and any other function at such calls inside it. mypy may check an expression several times
and keep only the errors of the last time, so errors are remembered and reported every time.
"""

from collections.abc import Iterator

from mypy.nodes import CallExpr, Context, Decorator, FuncDef, FuncItem, Node, TypeAlias, TypeInfo
from mypy.plugin import FunctionContext
from mypy.types import Type

from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..facts.functions.keeping import record_helpers
from ..flow.traced.analysis import analysis_of
from ..knowledge.costly_functions import is_costly
from ..knowledge.function_rows import Effect
from ..libraries import known_function
from ..reach.description import functions_handed_over, reach_of
from ..reach.kept_functions import is_kept_only, kept_functions
from ..reach.schedules import UpdatesRun, updates_run
from ..reporting.errors import report
from ..reporting.harm import Harm
from ..reporting.jit_sites import site_around
from ..rules._body import Body, BodyError
from ..rules._changing_shapes import check_changing_shape_eagerly
from ..rules._eager_calls import check_eager_call
from ..rules.checks import BODY_CHECKS
from ..rules.jit_branch import check_handed
from ..rules.static_traced import check_shape
from ..source.checked_file import CheckedFile, once_per_file
from ..source.surroundings import all_around
from .jitted_types import keep_jitted


def check_known_call(ctx: FunctionContext, file: CheckedFile, fullname: str) -> Type:
    """Called for calls of known functions that trace a function, as `lax.scan` does, or take a shape."""
    row = known_function(fullname)
    if row.calls is not None:
        check_bodies(ctx.context, file)
    if isinstance(ctx.context, CallExpr) and not mypy_api.errors_are_hidden(file.api):
        check_eager_call(ctx.context, file, fullname)
        if is_costly(fullname):
            check_changing_shape_eagerly(ctx.context, file)
    if row.shapes or row.numbers:
        check_shape(ctx, fullname.rpartition(".")[2], row, file)
    elif row.calls is not None and Effect.WRAPS in row.effects:
        return keep_jitted(ctx)
    return ctx.default_return_type


def check_bodies(node: Context, file: CheckedFile) -> None:
    """Called where a function is traced: at its decorator, or at a call that it is passed to."""
    if mypy_api.errors_are_hidden(file.api):
        return
    for function in _bodies(node, file):
        _check(function, file)
    if isinstance(node, CallExpr):
        check_handed(node, file)
    record_helpers(file.api, file.helpers)


def check_schedules(file: CheckedFile) -> bool:
    """Reports the schedules of a file: mypy calls no hook for a library without types."""
    found = _schedules(file)
    for function in found:
        _check(function, file)
    return bool(found)


@once_per_file
def _schedules(file: CheckedFile) -> list[FuncItem]:
    """The outermost functions that are one, or have one in them; lambdas of the module, too."""
    kept = (one for one in kept_functions(file) if not isinstance(one, FuncDef) or file.defines(one))
    around = [all_around(function, file) for function in kept]
    return list(dict.fromkeys([node for node in nodes if isinstance(node, FuncItem)][-1] for nodes in around))


def _check(function: FuncItem, file: CheckedFile) -> None:
    errors, consulted = _errors(file, function)
    for error in errors:
        site = site_around(error.context.line, file)
        report(
            file,
            error.context,
            error.statement,
            error.code,
            position=error.position,
            site=site,
            harm=error.harm,
            questions=error.questions,
            is_asked=bool(error.questions),
        )
    record_dependency(file.api, consulted)


def _bodies(node: Context, file: CheckedFile) -> Iterator[FuncItem]:
    """The outermost functions that are checked from here."""
    around = mypy_api.outermost_function(file.api)
    if isinstance(around, FuncDef):
        if not reach_of(file, around).is_checked_where_traced:
            yield around
    elif isinstance(node, Decorator) and reach_of(file, node.func).is_checked_where_traced:
        yield node.func
    if isinstance(node, CallExpr):
        yield from functions_handed_over(node, file, with_lambdas=around is None)


@once_per_file
def _errors(file: CheckedFile, function: FuncItem) -> tuple[tuple[BodyError, ...], frozenset[TypeInfo | TypeAlias]]:
    """The errors in a function, and the classes and aliases that the answer depends on."""
    analysis = analysis_of(file, function)
    body = Body(function, file, analysis, {*analysis.consulted})
    errors = tuple(_in_doubt(error, function, file) for check in BODY_CHECKS for error in check(body))
    return errors, frozenset(body.consulted)


def _in_doubt(error: BodyError, function: FuncItem, file: CheckedFile) -> BodyError:
    """The error, potential in a schedule of a file that shows no compiled update: another file may have one."""
    if not kept_functions(file) or updates_run(file) is UpdatesRun.COMPILED:
        return error
    place = error.context
    around = all_around(place, file) if isinstance(place, Node) else []
    is_open = any(is_kept_only(node, file) for node in (function, *around) if isinstance(node, FuncItem))
    return error._replace(harm=Harm.POTENTIAL) if is_open else error
