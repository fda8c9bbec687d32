"""The table of contents: which hook of mypy leads where. They are asked for every call: a look-up, then out."""

from collections.abc import Callable
from functools import partial

from mypy.nodes import MypyFile, Var
from mypy.plugin import AnalyzeTypeContext, ClassDefContext, FunctionContext, MethodContext, Plugin
from mypy.types import Type

from . import availability, compat, faults, jitted, static_fields
from .annotations import AnnotationIndex
from .class_facts import record_class_facts
from .config import Settings
from .jit_sites import JAX_JIT, JIT_FUNCTIONS, JitSite
from .names import CLASS_CHECK, PARTIAL
from .rules.static_marker import analyze_marker


class Hooks:
    """What the plugin answers when mypy asks for a hook by name."""

    def __init__(self, settings: Settings, plugin: Plugin) -> None:
        self._settings = settings
        self._plugin = plugin
        self._rows = JIT_FUNCTIONS | dict.fromkeys(settings.jit_functions, JAX_JIT)
        self._index: AnnotationIndex | None = None
        self._record_class = faults.guard_class(record_class_facts)
        self._check_class = faults.guard(partial(static_fields.check_class, settings=settings))

    def why_off(self, file: MypyFile) -> str | None:
        try:
            return availability.why_off(file, self._plugin.options)
        except Exception as error:
            return f"{file.path}: {faults.describe_fault(error)}"

    def type_analyze(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type]:
        return faults.guard_type(partial(analyze_marker, fullname=fullname, index_of=self._index_of))

    def class_definition(self, fullname: str) -> Callable[[ClassDefContext], None]:
        return self._record_class

    def method(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        return None

    def function(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        row = self._rows.get(fullname)
        if row is not None:
            return faults.guard(partial(jitted.call_jit, function=fullname, row=row, settings=self._settings))
        if fullname == CLASS_CHECK:
            return self._check_class
        if fullname == PARTIAL:
            return faults.guard(self._call_partial)
        if "." not in fullname:
            return self._call_local
        site = JitSite.decode(fullname) if "([" in fullname else self._site_of_variable(fullname)
        return self._apply(site) if site is not None and site.function in self._rows else None

    def _call_partial(self, ctx: FunctionContext) -> Type:
        function = jitted.partial_of(ctx)
        row = self._rows.get(function) if function is not None else None
        if function is not None and row is not None and not jitted.partial_has_function(ctx):
            return faults.guard(partial(jitted.call_partial, function=function, row=row))(ctx)
        default = compat.default_function_hook(self._plugin, PARTIAL)
        return default(ctx) if default is not None else ctx.default_return_type

    def _call_local(self, ctx: FunctionContext) -> Type:
        """A local name, of which mypy tells no more: it may be a variable that holds a jit decorator."""
        site = jitted.site_of_local(ctx)
        if site is None:
            return ctx.default_return_type
        return self._apply(site)(ctx)

    def _apply(self, site: JitSite) -> Callable[[FunctionContext], Type]:
        row = self._rows[site.function]
        return faults.guard(partial(jitted.apply_site, site=site, row=row, settings=self._settings))

    def _site_of_variable(self, fullname: str) -> JitSite | None:
        """`jit_n = jax.jit(static_argnames="n")` at the top of a module, applied later by that name."""
        module, _, name = fullname.rpartition(".")
        file = compat.modules_of(self._plugin).get(module)
        symbol = file.names.get(name) if file is not None else None
        return jitted.site_of(symbol.node.type) if symbol is not None and isinstance(symbol.node, Var) else None

    def _index_of(self, ctx: AnalyzeTypeContext) -> AnnotationIndex:
        """Of the file being analysed: mypy analyses one after another, so one index is kept."""
        file = compat.file_being_analyzed(ctx)
        if self._index is None or self._index.file is not file:
            self._index = AnnotationIndex(file, strict=self._settings.strict)
        return self._index
