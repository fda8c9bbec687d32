"""The plugin class that mypy loads.

Everything behind the hooks is imported when mypy first asks for a hook. It never does if its cache has every module.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from mypy.errors import CompileError
from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import ClassDefContext, Plugin, ReportConfigContext
from mypy.version import __version__ as mypy_version

from . import rules as rules  # lets mypy know the error codes
from .compat.library_files import LIBRARIES, is_of_library
from .compat.versions import check_version, version_notice
from .config.daemon import compare_settings, outdated_notice
from .config.file import settings_elsewhere
from .config.settings import Settings
from .config.unknown_names import NamesInSettings
from .digest import digest
from .hooks.answers import Answer, Answers
from .knowledge.full_names import DYNAMIC_MARKERS, JAX, JAXLIB, PACKAGE, STATIC_MARKERS
from .memory import clear
from .reporting.switch import FINDINGS as FINDINGS  # and this one

if TYPE_CHECKING:
    from .hooks.early import EarlyHooks
    from .hooks.table import FunctionHook, Hooks, MethodHook, SignatureHook, TypeHook

_PRIORITY: Final = 10  # of a dependency: as high as that of an import at the top of a file


class JaxtypedStaticPlugin(Plugin):
    """Answers mypy's requests for hooks; `hooks/table.py` has the table of them."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._has_warned = False
        self._has_begun = False
        self._refusal: CompileError | None = None
        self._settings = self._load_settings()
        self._names = NamesInSettings(self._settings.report())
        compare_settings(options, self._settings if self._refusal is None else None)
        self._has_user_markers = bool(self._settings.static_markers)
        named = self._settings.names_of_classes()
        self._packages_to_check = ("jax", *{name.partition(".")[0] for name in named})
        self._markers = STATIC_MARKERS | DYNAMIC_MARKERS | self._settings.static_markers
        self._function_hooks = Answers(self._find_function)
        self._method_hooks = Answers(self._find_method)
        self._signature_hooks = Answers(self._find_signature)
        self._type_hooks = Answers(self._find_type)
        self._answer_without_python()

    def _answer_without_python(self) -> None:
        """Has mypy look hooks up in dicts: it calls what the object has under the names of these methods.

        Those of a subclass that has its own stay.
        """
        answers: dict[str, Answers[Any]] = {
            "get_function_hook": self._function_hooks,
            "get_function_signature_hook": self._signature_hooks,
            "get_method_hook": self._method_hooks,
            "get_type_analyze_hook": self._type_hooks,
        }
        for name, hooks in answers.items():
            if getattr(type(self), name) is vars(JaxtypedStaticPlugin).get(name):
                vars(self)[name] = hooks.__getitem__

    def _load_settings(self) -> Settings:
        """Returns the defaults on an error, and keeps that: mypy can report it only after the build has begun."""
        try:
            check_version(mypy_version)
            return Settings.load(self.options.config_file)
        except CompileError as error:
            self._refusal = error
            return Settings()

    @cached_property
    def _early(self) -> EarlyHooks:
        from .hooks.early import EarlyHooks

        return EarlyHooks(self.options, self._settings)

    @cached_property
    def _hooks(self) -> Hooks:
        from .hooks.table import Hooks

        return Hooks(self._settings, self)

    @cached_property
    def _report(self) -> dict[str, Any]:
        """What makes a module's cached errors valid: the settings, and this version of the plugin.

        mypy by itself compares a plugin's version once per cache, so modules that only later runs check would keep
        errors of an old version.
        """
        return {"settings": self._settings.report(), "plugin": digest()}

    @cached_property
    def _report_of_libraries(self) -> dict[str, Any]:
        """What makes a library's cached errors valid: only the settings that affect it, so others keep jax's cache."""
        markers = sorted(name for name in self._settings.static_markers if _concerns_libraries(name))
        return {"settings": {"static_markers": markers}, "plugin": digest()}

    def report_config_data(self, ctx: ReportConfigContext) -> dict[str, Any]:
        """Called for each file that mypy reads from its cache, or writes there."""
        if ctx.is_check:
            self._check_settings(ctx.id, ctx.path)
        if is_of_library(ctx.id, ctx.path):
            return self._report_of_libraries
        if not ctx.is_check and (file := (self._modules or {}).get(ctx.id)) is not None:
            self._early.keep_source(file)
        return self._report

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """Called for each parsed file: warns once if mypy cannot see jax, and adds the module of the markers."""
        self._check_settings(file.fullname, file.path)
        clear()  # in the daemon, a file is parsed again after an edit
        self._function_hooks.clear()
        self._method_hooks.clear()
        if not is_of_library(file.fullname, file.path):
            self._early.keep_source(file)
        if (notice := outdated_notice(self.options)) is not None:
            _print(notice)
        if not self._has_warned and (warning := self._early.why_off(file)) is not None:
            self._has_warned = True
            _print(warning)
        return [(_PRIORITY, PACKAGE, -1)] if self._early.needs_markers(file) else []

    def _check_settings(self, module: str, path: str) -> None:
        """Reports wrong settings. Called from the hooks that mypy calls in its main process, whose output users see.

        Raises:
            CompileError: mypy prints it and stops.
        """
        if not self._has_begun:
            self._has_begun = True
            if self._refusal is not None:
                raise self._refusal
            if (notice := version_notice(mypy_version)) is not None:
                _print(notice)
            for warning in settings_elsewhere(self.options.config_file):
                _print(warning)
        for warning in self._names.wrong_in(module, path):
            _print(f"{self.options.config_file}: {PACKAGE}: warning: {warning}")

    def get_customize_class_mro_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        if fullname.startswith(JAXLIB):
            return None
        return self._early.class_definition(is_checked=self._sees_jax())

    def get_type_analyze_hook(self, fullname: str) -> TypeHook | None:
        return self._type_hooks[fullname]

    def get_method_hook(self, fullname: str) -> MethodHook | None:
        return self._method_hooks[fullname]

    def get_function_hook(self, fullname: str) -> FunctionHook | None:
        return self._function_hooks[fullname]

    def get_function_signature_hook(self, fullname: str) -> SignatureHook | None:
        return self._signature_hooks[fullname]

    def _find_type(self, fullname: str) -> Answer[TypeHook]:
        """A marker is looked up each time: while the type around it is analysed, there is no hook for it."""
        is_marker = fullname in self._markers
        return Answer(self._hooks.type_analyze() if is_marker else None, is_lasting=not is_marker)

    def _find_method(self, fullname: str) -> Answer[MethodHook]:
        if fullname.startswith("builtins."):
            return Answer(None)
        return self._hooks.method(fullname) if self._sees_jax() else Answer(None, is_lasting=False)

    def _find_function(self, fullname: str) -> Answer[FunctionHook]:
        if fullname.startswith("builtins."):
            return Answer(None)
        return self._hooks.function(fullname) if self._sees_jax() else Answer(None, is_lasting=False)

    def _find_signature(self, fullname: str) -> Answer[SignatureHook]:
        return Answer(self._hooks.signature(fullname) if fullname.startswith(JAX) else None)

    def _sees_jax(self) -> bool:
        """Whether the module being checked may use jax: mypy processes a module's imports before it.

        The module of a class named in the settings need not import jax, so its package counts as well. A marker named
        in the settings may be just a string in an annotation, which needs no import, so then the answer is always yes.
        """
        modules = self._modules or ()
        for name in self._packages_to_check:  # called for every call expression: a loop is fastest
            if name in modules:
                return True
        return self._has_user_markers


def plugin(version: str) -> type[Plugin]:
    """mypy's entry point. The daemon calls it again for every run."""
    return JaxtypedStaticPlugin


def _concerns_libraries(marker: str) -> bool:
    """Whether a marker is a name from one of the libraries, or a string, which can be anywhere."""
    head, dot, _ = marker.partition(".")
    return not dot or head in LIBRARIES


def _print(line: str) -> None:
    print(line, file=sys.stderr)
