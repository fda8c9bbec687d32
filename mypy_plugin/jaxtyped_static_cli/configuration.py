"""The options for mypy: of the project's own, those that say where things are, and none that say how strict to be."""

import contextlib
import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from mypy.errors import CompileError
from mypy.options import Options

from jaxtyped_static_mypy.config.settings import Settings
from jaxtyped_static_mypy.rules import CODES

from . import compat, plugin
from .interpreter import Interpreter
from .problems import Problem
from .project import Project

# The project's options for mypy that are kept: where things are, and what the code means; not how strict to be.
_TAKEN: Final = (
    *("always_false", "always_true", "custom_typeshed_dir", "exclude", "follow_imports", "follow_untyped_imports"),
    *("implicit_optional", "mypy_path", "platform", "strict_optional"),
)
_TAKEN_BY_MODULE: Final = frozenset(
    {"always_false", "always_true", "follow_imports", "follow_untyped_imports", "implicit_optional", "strict_optional"}
)


def options_of(project: Project, python: Interpreter, *, cache: Path) -> Options:
    """mypy's options for a project."""
    options = compat.new_options(python.path)
    plugins = [plugin.NAME]
    if project.config_file is not None:
        with contextlib.chdir(project.root):
            configured = compat.configured_options(project.config_file)
        _take(configured, options)
        plugins += _loadable(configured.plugins)
        options.config_file = str(project.config_file)
    else:
        options.config_file = str(cache / "no-settings.toml")  # without a configuration file, mypy loads no plugin
        if not Path(options.config_file).exists():
            Path(options.config_file).touch()
    options.plugins = plugins
    options.cache_dir = str(cache / "mypy")
    options.check_untyped_defs = options.ignore_missing_imports = True
    options.many_errors_threshold = -1  # otherwise mypy hides errors if there are many and an import is missing
    return options


def _take(configured: Options, options: Options) -> None:
    for name in _TAKEN:
        if hasattr(configured, name):
            setattr(options, name, getattr(configured, name))
    for pattern, values in configured.per_module_options.items():
        taken = {name: value for name, value in values.items() if name in _TAKEN_BY_MODULE}
        if switched_off := [code for code in values.get("disable_error_code", ()) if code in CODES]:  # type: ignore[attr-defined]
            taken["disable_error_code"] = switched_off
        options.per_module_options[pattern] = taken
    options.disable_error_code = [code for code in configured.disable_error_code if code in CODES]
    options.disabled_error_codes = {CODES[code] for code in options.disable_error_code}


def _loadable(plugins: Iterable[str]) -> Iterator[str]:
    """The project's other plugins, if they are installed beside the command; those in files are left out."""
    for name in plugins:
        if name.partition(".")[0] == "jaxtyped_static_mypy":
            continue
        try:
            importlib.import_module(name.partition(":")[0])
        except Exception:
            continue
        yield name


def paths_to_check(project: Project, named: list[Path]) -> list[Path]:
    """What the user names, else what the project's configuration of mypy does, else the project."""
    if named or project.config_file is None:
        return named or [project.whole]
    with contextlib.chdir(project.root):
        configured = compat.configured_options(project.config_file).files
    return [project.root / path for path in configured or ()] or [project.whole]


def settings_of(project: Project) -> Settings:
    """The settings of the checker.

    Raises:
        Problem: a setting is wrong.
    """
    try:
        return Settings.load(str(project.config_file) if project.config_file is not None else None)
    except CompileError as error:
        raise Problem(error.messages[0].partition("error: ")[2] or error.messages[0]) from None
