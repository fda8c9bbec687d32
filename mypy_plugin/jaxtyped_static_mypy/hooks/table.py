"""The table of hooks: what answers for a call. Hooks that run for programs without jax are in `early.py`."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from mypy.nodes import CallExpr
from mypy.plugin import AnalyzeTypeContext, FunctionContext, MethodContext, Plugin
from mypy.types import Type

from ..compat import mypy_api
from ..config.settings import Settings
from ..facts.foreign_registrations import keep_registrations, see_registrations
from ..knowledge.jax_functions import JAX_JIT
from ..libraries import JIT_FUNCTIONS
from ..memory import clear
from ..rules.static_cache import check_cached_call
from . import failures
from .bodies import check_known_call
from .call_sites import check_constructor, check_jitted_call, check_maker, check_replace
from .finding import Found, find_function, find_local, find_method
from .helper_calls import call_helper, pass_on
from .jit_calls import apply_decorator, call_jit, call_partial
from .markers import MarkerAnalysis
from .requests import Hook, Request
from .static_fields import check_class

FunctionHook = Callable[[FunctionContext], Type]
MethodHook = Callable[[MethodContext], Type]


def _check_cached(ctx: FunctionContext, request: Request) -> Type:
    return check_cached_call(ctx, request.settings)


def _register(ctx: FunctionContext, request: Request) -> Type:
    if isinstance(ctx.context, CallExpr):
        keep_registrations(ctx.api)
    return ctx.default_return_type


def _call_local(ctx: FunctionContext, request: Request) -> Type:
    hook = find_local(ctx)
    return _answer(ctx, request, hook) if hook is not None else ctx.default_return_type


_ANSWERS: Final[Mapping[Hook, Callable[[FunctionContext, Request], Type]]] = {
    Hook.JIT: call_jit,
    Hook.PARTIAL: call_partial,
    Hook.HELPER: call_helper,
    Hook.DECORATOR: apply_decorator,
    Hook.SAME_FUNCTION: pass_on,
    Hook.KNOWN: check_known_call,
    Hook.JITTED: check_jitted_call,
    Hook.CACHED: _check_cached,
    Hook.CONSTRUCTOR: check_constructor,
    Hook.MAKER: check_maker,
    Hook.REPLACE: check_replace,
    Hook.REGISTRATION: _register,
    Hook.CLASS: check_class,
}


def _answer(ctx: FunctionContext, request: Request, hook: Hook) -> Type:
    """What mypy gets from a hook, which sees the registrations that its module can see."""
    if not mypy_api.errors_are_hidden(ctx.api):
        see_registrations(ctx.api, request.settings.pytree_types)
    return _ANSWERS[hook](ctx, request)


class Hooks:
    """Finds the hook for the full name of a function or method."""

    def __init__(
        self,
        settings: Settings,
        plugin: Plugin,
        functions: dict[str, FunctionHook | None],
        methods: dict[str, MethodHook | None],
    ) -> None:
        """`functions`, `methods`: collect the answers that hold until a file is parsed, by full name."""
        clear()
        self._settings = settings
        self._plugin = plugin
        self._functions = functions
        self._methods = methods
        self._rows = JIT_FUNCTIONS | dict.fromkeys(settings.jit_functions, JAX_JIT)
        self._marker_analysis = MarkerAnalysis(strict=settings.strict)

    def type_analyze(self) -> Callable[[AnalyzeTypeContext], Type] | None:
        return self._marker_analysis.hook()

    def function(self, fullname: str) -> FunctionHook | None:
        hook, is_lasting = self._find(find_function, fullname)
        if is_lasting:
            self._functions[fullname] = hook
        return hook

    def method(self, fullname: str) -> MethodHook | None:
        function, is_lasting = self._find(find_method, fullname)
        hook = partial(_of_method, function) if function is not None else None
        if is_lasting:
            self._methods[fullname] = hook
        return hook

    def _find(self, find: Callable[[Request], Found], fullname: str) -> tuple[FunctionHook | None, bool]:
        """The hook for a name, if there is one, and whether that holds until a file is parsed."""
        request = Request(fullname, self._settings, self._rows, self._plugin)
        try:
            found = find(request)
        except Exception as error:
            return failures.failed(error), False
        if found.hook is None:
            return None, found.is_lasting
        answer = _call_local if found.hook is Hook.LOCAL else partial(_answer, hook=found.hook)
        return failures.guard(partial(answer, request=request)), found.is_lasting


def _of_method(hook: FunctionHook, ctx: MethodContext) -> Type:
    """Calls a hook for functions where mypy asks for one for methods, whose context also has the object's type."""
    return hook(FunctionContext(*ctx[1:]))
