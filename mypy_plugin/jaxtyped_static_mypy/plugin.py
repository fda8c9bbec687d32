"""The table of contents: which hook of mypy leads where. Hooks are asked for every call, so each is a look-up, then out."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from mypy.nodes import Var
from mypy.options import Options
from mypy.plugin import (
    AnalyzeTypeContext,
    ClassDefContext,
    FunctionContext,
    MethodContext,
    Plugin,
    ReportConfigContext,
)
from mypy.types import Type

from . import compat, faults, jitted, static_fields
from .annotations import AnnotationIndex
from .class_facts import record_class_facts
from .config import Settings
from .jit_sites import JAX_JIT, JIT_FUNCTIONS, JitFunction, JitSite
from .markers import MARKERS
from .names import INIT_SUBCLASS, PARTIAL
from .rules.static_marker import analyze_marker


class JaxtypedStaticPlugin(Plugin):
    """mypy's view of jaxtyped-static: five hooks, each a row of dispatch."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.settings: Final = Settings.load(options.config_file)
        self._jit_functions: Final = JIT_FUNCTIONS | dict.fromkeys(self.settings.jit_functions, JAX_JIT)
        self._report: Final = self.settings.report()
        self._index: AnnotationIndex | None = None

    def report_config_data(self, ctx: ReportConfigContext) -> dict[str, Any]:
        return self._report

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        if fullname not in MARKERS:
            return None
        return partial(analyze_marker, fullname=fullname, index_of=self._index_of)

    def get_customize_class_mro_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        return faults.guard_class(record_class_facts)

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        if not fullname.endswith(INIT_SUBCLASS):
            return None
        return faults.guard(partial(static_fields.check_class, settings=self.settings))

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        row = self._jit_functions.get(fullname)
        if row is not None:
            return faults.guard(partial(jitted.call_jit, function=fullname, row=row, settings=self.settings))
        if fullname == PARTIAL:
            return self._call_partial
        site = JitSite.decode(fullname) if "([" in fullname else self._site_of_variable(fullname)
        if site is None:
            return None
        row = self._jit_functions[site.function]
        return faults.guard(partial(jitted.apply_site, site=site, row=row, settings=self.settings))

    def _call_partial(self, ctx: FunctionContext) -> Type:
        function = jitted.partial_of(ctx)
        row: JitFunction | None = self._jit_functions.get(function or "")
        if function is not None and row is not None:
            result = faults.guard(partial(jitted.call_partial, function=function, row=row))(ctx)
            if result is not None:
                return result
        default = compat.default_function_hook(self, PARTIAL)
        return default(ctx) if default is not None else ctx.default_return_type

    def _site_of_variable(self, fullname: str) -> JitSite | None:
        """`jit_n = jax.jit(static_argnames="n")`, applied later by that name."""
        if "." not in fullname:
            return None
        symbol = self.lookup_fully_qualified(fullname)
        return jitted.site_of(symbol.node.type) if symbol is not None and isinstance(symbol.node, Var) else None

    def _index_of(self, ctx: AnalyzeTypeContext) -> AnnotationIndex:
        file = compat.file_being_analyzed(ctx)
        if self._index is None or self._index.file is not file:
            self._index = AnnotationIndex(file, strict=self.settings.strict)
        return self._index


def plugin(version: str) -> type[Plugin]:
    """mypy's entry point; asked again on every run of the daemon, so it only names the class."""
    return JaxtypedStaticPlugin
