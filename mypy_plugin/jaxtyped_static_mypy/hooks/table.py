"""The table of hooks: what answers for a call. Hooks that run for programs without jax are in `early.py`."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from mypy.nodes import CallExpr
from mypy.plugin import AnalyzeTypeContext, FunctionContext, FunctionSigContext, MethodContext, Plugin
from mypy.types import FunctionLike, Type

from ..compat import mypy_api
from ..config.settings import Settings
from ..facts.foreign_registrations import keep_registrations, see_registrations
from ..libraries import jit_function
from ..memory import clear
from ..rules._compiled_functions import check_compiled_functions
from ..rules._dropped_arguments import check_dropped_arguments
from ..rules._dropped_copies import check_dropped
from ..rules._dropped_decorators import check_dropped_decorators
from ..rules._dropped_results import check_dropped_results
from ..rules._forgotten_carries import check_forgotten_carries
from ..rules._frozen_assignments import check_frozen_assignments
from ..rules._frozen_variables import check_frozen_variables
from ..rules._lost_steps import check_lost_steps
from ..rules._mapped_axes import check_mapped_axes
from ..rules._mapped_jits import mapped_jits
from ..rules._module_arguments import check_module_calls
from ..rules._updated_parameters import check_updated_parameters
from ..rules.jax_call import check_calls
from ..rules.jit_retrace import check_retrace
from ..rules.pytree_unflatten import check_rebuilt
from ..rules.static_cache import check_cached_call
from ..source.checked_file import CheckedFile, checked_file, once_per_file
from . import failures
from .answers import Answer
from .bodies import check_known_call, check_schedules
from .call_sites import check_constructor, check_jitted_call, check_maker, check_replace
from .filtered_calls import check_filtered_call
from .helper_calls import call_helper, pass_on
from .jit_calls import apply_decorator, call_jit, call_partial, check_call_of_jit
from .lookup import Found, Hook, Request, find_function, find_local, find_method, loop_named
from .markers import MarkerAnalysis
from .redefined import check_redefined
from .static_fields import check_class

FunctionHook = Callable[[FunctionContext], Type]
MethodHook = Callable[[MethodContext], Type]
SignatureHook = Callable[[FunctionSigContext], FunctionLike]
TypeHook = Callable[[AnalyzeTypeContext], Type]


def _register(ctx: FunctionContext, file: CheckedFile, fullname: str) -> Type:
    if isinstance(ctx.context, CallExpr):
        keep_registrations(file.api)
    return ctx.default_return_type


def _see_variables(ctx: FunctionContext, file: CheckedFile, fullname: str) -> None:
    if isinstance(ctx.context, CallExpr):
        check_frozen_variables(ctx.context, ctx.default_return_type, file)


def _leave(ctx: FunctionContext, file: CheckedFile, fullname: str) -> Type:
    return ctx.default_return_type


def _call_local(ctx: FunctionContext, fullname: str, settings: Settings) -> Type:
    hook, fullname = find_local(ctx), fullname.rpartition(".")[2]
    if hook is None and (named := loop_named(ctx.context, checked_file(ctx.api, settings))):
        hook, fullname = Hook.KNOWN, named
    return _answer(ctx, hook, fullname, settings) if hook is not None else ctx.default_return_type


# What gives a call its type, or writes down facts, also where errors are hidden.
_ANSWERS: Final[Mapping[Hook, Callable[[FunctionContext, CheckedFile, str], Type]]] = {
    Hook.JIT: call_jit,
    Hook.PARTIAL: call_partial,
    Hook.HELPER: call_helper,
    Hook.DECORATOR: apply_decorator,
    Hook.SAME_FUNCTION: pass_on,
    Hook.KNOWN: check_known_call,
    Hook.REGISTRATION: _register,
    Hook.CLASS: check_class,
    Hook.UPDATE: _leave,  # what drops the copy is reported at any hook
}
# What only reports errors.
_CHECKS: Final[Mapping[Hook, Callable[[FunctionContext, CheckedFile, str], None]]] = {
    Hook.JITTED: check_jitted_call,
    Hook.FILTERED: check_filtered_call,
    Hook.CACHED: check_cached_call,
    Hook.CONSTRUCTOR: check_constructor,
    Hook.MAKER: check_maker,
    Hook.REPLACE: check_replace,
    Hook.VARIABLES: _see_variables,
}


@once_per_file
def _of_files(file: CheckedFile) -> list[Callable[[CheckedFile], bool]]:
    """What reports all of a file at any hook: at first all such checks, and then those that have found anything."""
    return [
        check_dropped_arguments,
        check_dropped_decorators,
        check_dropped_results,
        check_updated_parameters,
        check_lost_steps,
        check_forgotten_carries,
        check_frozen_assignments,
        check_mapped_axes,
        check_rebuilt,
        check_calls,
        check_module_calls,
        check_compiled_functions,
        check_schedules,
    ]


def _answer(ctx: FunctionContext, hook: Hook, fullname: str, settings: Settings) -> Type:
    """What mypy gets from a hook, which sees the registrations that its module can see.

    mypy (2.4.1) calls the hook of an overloaded function, as `jax.jit` is, twice for one call: while it chooses the
    overload, without the errors, and then for the chosen one. So every answer and every error is given again.
    """
    file = checked_file(ctx.api, settings)
    is_hidden = mypy_api.errors_are_hidden(ctx.api)
    if not is_hidden:
        see_registrations(ctx.api, settings.pytree_types)
        check_redefined(file)
        check_dropped(file)
        checks = _of_files(file)
        checks[:] = [check for check in checks if check(file)]
        for call in mapped_jits(file):
            check_retrace(call)
    if (answer := _ANSWERS.get(hook)) is not None:
        return answer(ctx, file, fullname)
    if not is_hidden:
        _CHECKS[hook](ctx, file, fullname)
    return ctx.default_return_type


def _see_call(ctx: FunctionSigContext, fullname: str, settings: Settings) -> None:
    if not mypy_api.errors_are_hidden(ctx.api):
        check_call_of_jit(ctx, checked_file(ctx.api, settings), fullname)


class Hooks:
    """Finds the hook for the full name of a function or method."""

    def __init__(
        self,
        settings: Settings,
        plugin: Plugin,
    ) -> None:
        clear()
        self._settings = settings
        self._plugin = plugin
        self._marker_analysis = MarkerAnalysis(strict=settings.strict)

    def type_analyze(self) -> TypeHook | None:
        return self._marker_analysis.hook()

    def function(self, fullname: str) -> Answer[FunctionHook]:
        return self._find(find_function, fullname)

    def method(self, fullname: str) -> Answer[MethodHook]:
        hook, is_lasting = self._find(find_method, fullname)
        return Answer(partial(_of_method, hook) if hook is not None else None, is_lasting)

    def signature(self, fullname: str) -> SignatureHook | None:
        """Looks at each call of a jit function, and leaves its signature as it is."""
        if jit_function(fullname, self._settings.jit_functions) is None:
            return None
        return failures.watch(partial(_see_call, fullname=fullname, settings=self._settings))

    def _find(self, find: Callable[[Request], Found], fullname: str) -> Answer[FunctionHook]:
        try:
            found = find(Request(fullname, self._settings, mypy_api.modules_of(self._plugin)))
        except Exception as error:
            return Answer(failures.failed(error), is_lasting=False)
        if found.hook is None:
            return Answer(None, found.is_lasting)
        answer = _call_local if found.hook is Hook.LOCAL else partial(_answer, hook=found.hook)
        guarded = failures.guard(partial(answer, fullname=fullname, settings=self._settings))
        return Answer(guarded, found.is_lasting)


def _of_method(hook: FunctionHook, ctx: MethodContext) -> Type:
    """Calls a hook for functions where mypy asks for one for methods, whose context also has the object's type."""
    return hook(FunctionContext(*ctx[1:]))
