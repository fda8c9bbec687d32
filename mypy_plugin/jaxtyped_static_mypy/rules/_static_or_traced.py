"""The two ways to pass an object to a compiled function: traced, as a pytree, or static."""

from functools import partial

from mypy.nodes import TypeInfo
from mypy.plugin import FunctionContext
from mypy.types import Type

from ..classes import class_model
from ..classes.reasons import HOLDS_ARRAYS, MUTABLE, UNPROVEN, Fault
from ..classes.registering import registration
from ..classes.untraced import classes_of, is_untraceable
from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..config.settings import Settings
from ..flow.function_fields import function_field, leaf_fields
from ..jit.application import Application
from ..judgement.judge import judge
from ..judgement.traceability import Survey
from ..libraries import CALLABLE_TREES
from ..source.checked_file import checked_file
from ..syntax.imports import imported_name


def survey_of(ctx: FunctionContext, application: Application, settings: Settings) -> Survey:
    """Looks for what cannot be traced, as seen from where a function is compiled."""
    file = mypy_api.checked_file(ctx)

    def untraceable(info: TypeInfo) -> bool:
        if info.fullname in settings.static_types or any(base.fullname in settings.static_bases for base in info.mro):
            return False
        seen = {*classes_of(file), *mypy_api.classes_of_module(ctx.api, info.module_name)}
        return is_untraceable(info, seen, file)

    return Survey(
        untraceable,
        lambda: _may_call_trees(ctx, application, settings),
        partial(function_field, checked_file(ctx.api, settings)),
        partial(leaf_fields, checked_file(ctx.api, settings)),
    )


def _may_call_trees(ctx: FunctionContext, application: Application, settings: Settings) -> bool:
    """Whether the file uses callable pytrees, or a base class declares the method for its callers."""
    function, file = application.function, mypy_api.checked_file(ctx)
    if function is not None and function.info and any(function.name in base.names for base in function.info.mro[1:]):
        return True
    if any(imported_name(file, package) is not None for package in CALLABLE_TREES):
        return True
    return "Partial" in checked_file(ctx.api, settings).uses_by_name


def as_pytree(info: TypeInfo, survey: Survey, ctx: FunctionContext) -> str:
    """How to make a class a pytree, with the fields that cannot be traced as static ones."""
    fields = [(field.name, field.type) for field in class_model.fields(info)]
    static = [name for name, typ in fields if typ is not None and survey.obstacle(typ) is not None]
    record_dependency(ctx.api, survey.consulted)
    return registration(info, mypy_api.checked_file(ctx), static)


def faults_as_static(typ: Type, settings: Settings, ctx: FunctionContext) -> tuple[Fault, ...]:
    """The faults that prevent values of a type from being static; leaves out what is merely unproven."""
    verdict = judge(typ, settings, is_argument=True)
    record_dependency(ctx.api, verdict.consulted.everything())
    return tuple(fault for fault in verdict.faults if fault.reason not in UNPROVEN)


def before_static(faults: tuple[Fault, ...]) -> str | None:
    """What has to be done before an object can be static; None if it holds arrays."""
    if any(fault.reason in HOLDS_ARRAYS for fault in faults):
        return None
    if any(fault.path for fault in faults):
        return "freeze everything that it holds and "
    if any(fault.reason in MUTABLE for fault in faults):
        return "freeze it and "
    return "compare and hash it by value and " if faults else ""
