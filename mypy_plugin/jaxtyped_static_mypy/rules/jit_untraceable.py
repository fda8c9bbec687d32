"""jit-untraceable: a dynamic parameter's type cannot be traced: every call raises."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import Context, FuncDef, MypyFile, RefExpr, TypeInfo
from mypy.plugin import FunctionContext
from mypy.types import Type

from .. import compat
from ..application import Application
from ..classes.registering import registration
from ..classes.untraced import classes_of, is_untraceable
from ..codes import JIT_UNTRACEABLE
from ..compat_dependencies import record_dependency
from ..config import Settings
from ..judgement import judge
from ..markers import Marker, marked, marker_of
from ..reasons import Reason
from ..replacements import addition_note, replacement_note
from ..reporting import where_declared
from ..syntax import imported_name
from ..traceability import Obstacle, Survey
from ..tracing.index import uses_by_name
from ._replacing import as_static

_UNNAMED: Final = "argument {}"
_CALLABLE_TREES: Final = ("eqx", "equinox")  # as files import the package whose modules are called, and pytrees


class _Found(NamedTuple):
    """A dynamic parameter that cannot be traced."""

    position: int
    name: str
    type: Type
    obstacle: Obstacle


def check_traceable(ctx: FunctionContext, application: Application, settings: Settings) -> None:
    """Reports on each parameter's own line; for a function that is jitted elsewhere, the first at the call."""
    if not application.row.traces_all or not application.site.known:
        return
    if application.arguments:
        found = list(_untraceable(ctx, application, settings))
        for parameter in found:
            _report(ctx, application, application.arguments[parameter.position], parameter, found, settings)
    elif application.function is None and isinstance(application.expression, RefExpr):
        kinds = application.signature.arg_kinds
        required = [
            parameter
            for parameter in _untraceable(ctx, application, settings)
            if kinds[parameter.position].is_required()
        ]
        if required:
            _report(ctx, application, ctx.context, required[0], required, settings)


def _untraceable(ctx: FunctionContext, application: Application, settings: Settings) -> Iterator[_Found]:
    survey = _survey(ctx, application, settings)
    signature = application.signature
    for index, typ in enumerate(signature.arg_types):
        if index in application.static or marker_of(typ, settings.static_markers) is Marker.STATIC:
            continue
        if index == 0 and application.function is not None and _takes_self(application.function):
            continue  # a rule of its own
        obstacle = survey.obstacle(marked(typ))
        if obstacle is not None:
            argument = application.arguments[index] if application.arguments else None
            name = argument.variable.name if argument is not None else signature.arg_names[index]
            may_be_left = not signature.arg_kinds[index].is_required()
            obstacle = obstacle._replace(always=obstacle.always and not may_be_left)
            yield _Found(index, name or _UNNAMED.format(index), marked(typ), obstacle)
    record_dependency(ctx.api, survey.consulted)


def _survey(ctx: FunctionContext, application: Application, settings: Settings) -> Survey:
    file = compat.checked_file(ctx)

    def untraceable(info: TypeInfo) -> bool:
        if info.fullname in settings.static_types or any(base.fullname in settings.static_bases for base in info.mro):
            return False
        seen = {*classes_of(file), *compat.classes_of_module(ctx.api, info.module_name)}
        return is_untraceable(info, seen, file)

    return Survey(untraceable, lambda: _may_call_trees(ctx, application))


def _may_call_trees(ctx: FunctionContext, application: Application) -> bool:
    """Whether the file knows callable pytrees, or the callers know the method from a base class."""
    function, file = application.function, compat.checked_file(ctx)
    if function is not None and function.info and any(function.name in base.names for base in function.info.mro[1:]):
        return True
    if any(imported_name(file, package) is not None for package in _CALLABLE_TREES):
        return True
    return "Partial" in uses_by_name(file, compat.checker_run(ctx.api))


def _takes_self(function: FuncDef) -> bool:
    return bool(function.info) and (not function.is_static or function.name == "__new__")


def _report(
    ctx: FunctionContext,
    application: Application,
    place: Context,
    parameter: _Found,
    found: list[_Found],
    settings: Settings,
) -> None:
    advice, is_mechanical = _advice(parameter, compat.checked_file(ctx), settings)
    ctx.api.fail(f"{_says(application, parameter)}; {advice}", place, code=JIT_UNTRACEABLE)
    if (declared := parameter.obstacle.declared) is not None:
        compat.note(ctx.api, where_declared(declared, ctx.api), place, JIT_UNTRACEABLE)
    text = as_static(application, parameter.position, [other.position for other in found]) if is_mechanical else None
    if text is not None:
        is_marked = application.row.reads_markers and application.function is not None
        note = replacement_note if is_marked or application.site.static else addition_note
        note(ctx.api, place, text, JIT_UNTRACEABLE)


def _says(application: Application, parameter: _Found) -> str:
    path, subject, _, always = parameter.obstacle
    where = f"{parameter.name}{''.join(path)}: " if path else ""
    name = (application.signature.name or "").partition(" of ")[0]  # mypy adds the class of a method
    calls = f'every call of "{name}"' if name else "every call"
    raising = calls if always else f"{calls} that passes one"
    return f'Dynamic argument "{parameter.name}": {where}{subject} cannot be traced, so {raising} raises'


def _advice(parameter: _Found, file: MypyFile, settings: Settings) -> tuple[str, bool]:
    """What to do, and whether the exact text can be given: where the type could be static as it is."""
    faults = judge(parameter.type, settings, is_argument=True).faults
    instead = next((fault.detail for fault in faults if fault.reason is Reason.MUTABLE_TYPE), None)
    declared = parameter.obstacle.declared
    if declared is not None:
        static = "freeze it and mark the argument Static" if faults else "mark the argument Static"
        return f"register it as a pytree ({registration(declared, file)}), or {static}", not faults
    if instead is not None:
        return f"mark it Static, with {instead} in its place", False
    if any(fault.reason in _HOLDS_ARRAYS for fault in faults):
        return "pass that part as an argument of its own, marked Static", False
    return "mark it Static", not any(fault.reason not in _UNPROVEN for fault in faults)


_HOLDS_ARRAYS: Final = (Reason.ARRAY, Reason.PYTREE_DATA, Reason.DYNAMIC_MARKER)
_UNPROVEN: Final = (Reason.ANY, Reason.UNANNOTATED, Reason.ABSTRACT, Reason.FREE_TYPE_VARIABLE, Reason.UNREAD_CLASS)
