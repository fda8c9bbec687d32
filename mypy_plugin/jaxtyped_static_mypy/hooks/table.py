"""The table of hooks: which function answers for a name.

Called for every call expression: keep it to a dict lookup. Hooks that run for programs without jax are in `early.py`.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import CallExpr, Decorator, FuncDef, OverloadedFuncDef, SymbolNode, TypeInfo, Var
from mypy.plugin import AnalyzeTypeContext, FunctionContext, MethodContext, Plugin
from mypy.types import Type

from ..classes import class_model
from ..classes.constructors import passed_on_by_maker
from ..compat import mypy_api
from ..compat.mypy_api import lookup_fully_qualified
from ..config.settings import Settings
from ..facts.foreign_registrations import keep_registrations, see_registrations
from ..jit.signatures import is_jitted
from ..jit.sites import JitSite, site_of
from ..knowledge.full_names import CACHED_CALL, CLASS_CHECK, JAX, PARTIAL
from ..knowledge.function_rows import Effect
from ..knowledge.jax_functions import JAX_JIT, jax_function
from ..libraries import (
    JIT_FUNCTIONS,
    KEY_TYPES,
    PYTREE_DECORATORS,
    STATIC_DECORATORS,
    functions_with,
    known_function,
)
from ..memory import MEMORY
from ..reach.layers import Program
from ..rules.static_cache import check_cached_call
from ..rules.static_traced import check_shape
from . import failures, jitted, static_fields
from .bodies import check_traced_call
from .call_sites import check_constructor, check_jitted_call, check_maker, check_replace
from .helper_calls import PASSES, call_helper, is_wrapper, pass_on
from .markers import MarkerAnalysis

FunctionHook = Callable[[FunctionContext], Type]
MethodHook = Callable[[MethodContext], Type]

_REGISTERING: Final = PYTREE_DECORATORS | STATIC_DECORATORS
_COPYING: Final = functions_with(Effect.COPIES)


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
        MEMORY.clear()
        self._settings = settings
        self._plugin = plugin
        self._functions = functions
        self._methods = methods
        self._rows = JIT_FUNCTIONS | dict.fromkeys(settings.jit_functions, JAX_JIT)
        self._marker_analysis = MarkerAnalysis(strict=settings.strict)
        self._check_jitted = self._guard(partial(check_jitted_call, settings=settings))
        self._check_jitted_method = self._guard(partial(check_jitted_call, settings=settings))
        self._check_cached_call = self._guard(partial(check_cached_call, settings=settings))
        self._check_constructor = self._guard(partial(check_constructor, settings=settings))
        self._check_replace = self._guard(partial(check_replace, settings=settings))
        self._check_replace_method = self._guard(partial(check_replace, settings=settings))
        self._check_class = self._guard(partial(static_fields.check_class, settings=settings))
        self._call_helper = self._guard(partial(call_helper, settings=settings, rows=self._rows))
        self._call_partial_of_helper = self._guard(
            partial(call_helper, settings=settings, rows=self._rows, is_partial=True)
        )
        self._pass_on = self._guard(partial(pass_on, settings=settings))
        self._keep_registrations = self._guard(_call_register)

    def type_analyze(self) -> Callable[[AnalyzeTypeContext], Type] | None:
        return self._marker_analysis.hook()

    def method(self, fullname: str) -> MethodHook | None:
        try:
            return self._method(fullname)
        except Exception as error:
            return failures.failed(error)

    def function(self, fullname: str) -> FunctionHook | None:
        try:
            return self._function(fullname)
        except Exception as error:
            return failures.failed(error)

    def _method(self, fullname: str) -> MethodHook | None:
        """Finds jitted methods, attributes that hold jitted functions, and the `replace` of pytrees."""
        if fullname == CACHED_CALL:
            return self._methods.setdefault(fullname, self._check_cached_call)
        owner, _, name = fullname.rpartition(".")
        if name.startswith("__"):
            return self._methods.setdefault(fullname, None)
        if parameters := jax_function(fullname).shapes:
            return self._methods.setdefault(fullname, self._guard(self._shape_check(fullname, parameters)))
        info = self._lookup(owner)
        if not isinstance(info, TypeInfo):
            return None
        if name == "replace":
            return self._check_replace_method
        symbol = info.get(name)
        if symbol is not None and isinstance(symbol.node, Decorator) and self._may_make(symbol.node, info):
            passed_on = passed_on_by_maker(info, name)
            return self._guard(partial(check_maker, settings=self._settings, info=info, passed_on=passed_on))
        if symbol is None or isinstance(symbol.node, FuncDef):
            return self._methods.setdefault(fullname, None)
        return self._check_jitted_method if is_jitted(_type_of(symbol.node)) else None

    def _may_make(self, node: Decorator, info: TypeInfo) -> bool:
        """Whether a method may return a new object that has static fields, and is not jitted."""
        if not node.func.is_class or is_jitted(node.var.type) or not class_model.may_have_static_fields(info):
            return False
        return class_model.is_pytree(info) or class_model.is_declared_static(info, self._settings.static_bases)

    def _function(self, fullname: str) -> FunctionHook | None:
        if (known := self._known_function(fullname)) is not None:
            return self._functions.setdefault(fullname, known)
        if fullname.isidentifier():
            return self._call_local
        if "([" in fullname:
            return self._apply(JitSite.decode(fullname))
        if (helper := self._helper(fullname)) is not None:
            return helper
        is_display = "." not in fullname  # mypy asks for `<list>`, too
        node = None if is_display else self._lookup(fullname)
        if is_display or fullname in KEY_TYPES or _is_plain(node):
            return self._functions.setdefault(fullname, None)
        return self._call_global(node)

    def _known_function(self, fullname: str) -> FunctionHook | None:
        """The hook for a function that is known by name."""
        row = self._rows.get(fullname)
        if row is not None:
            return self._guard(partial(jitted.call_jit, function=fullname, row=row, settings=self._settings))
        if fullname == CLASS_CHECK:
            return self._check_class
        if fullname in _REGISTERING:
            return self._keep_registrations
        if fullname == PARTIAL:
            return self._guard(self._call_partial)
        if fullname in _COPYING:
            return self._check_replace
        return self._check_of_row(fullname)

    def _helper(self, fullname: str) -> FunctionHook | None:
        """Finds functions of the program that are decorators, or wrap jit."""
        modules = mypy_api.modules_of(self._plugin)
        file = modules.get(fullname.rpartition(".")[0])
        is_wrapper_here = file is not None and is_wrapper(fullname, Program(file, modules, self._settings))
        return self._call_helper if is_wrapper_here else None

    def _check_of_row(self, fullname: str) -> FunctionHook | None:
        """The check for a function that takes a shape, or traces a function argument, or both."""
        row = known_function(fullname)
        if not fullname.startswith(JAX) and row.calls is None:
            return None
        if Effect.SAME_FUNCTION in row.effects:
            return self._pass_on
        takes_shape = self._shape_check(fullname, row.shapes) if row.shapes else None
        if row.calls is None:
            return self._guard(takes_shape) if takes_shape is not None else None
        then = takes_shape or (jitted.keep_jitted if Effect.WRAPS in row.effects else None)
        return self._guard(partial(check_traced_call, settings=self._settings, then=then))

    def _shape_check(self, fullname: str, parameters: frozenset[str]) -> partial[Type]:
        function = fullname.rpartition(".")[2]
        return partial(check_shape, function=function, parameters=parameters, settings=self._settings)

    def _call_global(self, node: SymbolNode | None) -> FunctionHook | None:
        """Finds jitted functions, classes, and decorators such as `jit_n = jax.jit(static_argnames="n")`."""
        if isinstance(node, TypeInfo):
            return self._check_constructor if class_model.may_have_static_fields(node) else None
        typ = _type_of(node)
        if is_jitted(typ):
            return self._check_jitted
        return self._apply(site_of(typ)) if isinstance(node, Var) else None

    def _call_partial(self, ctx: FunctionContext) -> Type:
        function = jitted.partial_of(ctx)
        row = self._rows.get(function) if function is not None else None
        if function is not None and row is not None and not jitted.partial_has_function(ctx):
            return self._guard(partial(jitted.call_partial, function=function, row=row, settings=self._settings))(ctx)
        if function is not None and not jitted.partial_has_function(ctx) and self._helper(function) is not None:
            made = self._call_partial_of_helper(ctx)
            if made is not ctx.default_return_type:
                return made
        default = mypy_api.default_function_hook(self._plugin, PARTIAL)
        return default(ctx) if default is not None else ctx.default_return_type

    def _call_local(self, ctx: FunctionContext) -> Type:
        """Called for calls of local names, which may hold a jitted function or a jit decorator."""
        if is_jitted(mypy_api.type_of_callee(ctx)):
            return self._check_jitted(ctx)
        apply = self._apply(jitted.site_of_local(ctx))
        return apply(ctx) if apply is not None else ctx.default_return_type

    def _apply(self, site: JitSite | None) -> FunctionHook | None:
        if site == PASSES:
            return self._pass_on
        row = self._rows.get(site.function) if site is not None else None
        if site is None or row is None:
            return None
        return self._guard(partial(jitted.apply_site, site=site, row=row, settings=self._settings))

    def _guard(self, check: Callable[[failures.ContextT], Type]) -> Callable[[failures.ContextT], Type]:
        """Wraps a check: it sees the registrations that its module can see, and an exception becomes a note."""

        def see_and_check(ctx: failures.ContextT) -> Type:
            if not mypy_api.errors_are_hidden(ctx.api):
                see_registrations(ctx.api, self._settings.pytree_types)
            return check(ctx)

        return failures.guard(see_and_check)

    def _lookup(self, fullname: str) -> SymbolNode | None:
        symbol = lookup_fully_qualified(fullname, mypy_api.modules_of(self._plugin))
        return symbol.node if symbol is not None else None


def _is_plain(node: SymbolNode | None) -> bool:
    """Whether a node is a function that is not jitted, as far as mypy knows its type already."""
    if isinstance(node, FuncDef):
        return True
    typ = _type_of(node) if isinstance(node, (Decorator, OverloadedFuncDef)) else None
    return typ is not None and not is_jitted(typ)


def _type_of(node: SymbolNode | None) -> Type | None:
    """The type that a module gives to a name."""
    if isinstance(node, Decorator):
        return node.var.type
    return node.type if isinstance(node, (Var, OverloadedFuncDef)) else None


def _call_register(ctx: FunctionContext) -> Type:
    if isinstance(ctx.context, CallExpr):
        keep_registrations(ctx.api)
    return ctx.default_return_type
