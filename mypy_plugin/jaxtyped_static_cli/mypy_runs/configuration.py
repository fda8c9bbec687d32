"""The options for mypy: of the project's own, those that say where things are, and none that say how strict to be."""

import contextlib
import os
from pathlib import Path
from typing import Final

from mypy.errors import CompileError
from mypy.options import Options

from jaxtyped_static_mypy.config.settings import Settings
from jaxtyped_static_mypy.knowledge.full_names import PACKAGE
from jaxtyped_static_mypy.reporting.switch import FINDINGS
from jaxtyped_static_mypy.rules import CODES

from ..compat.options import SearchFolders, configured_options, new_options
from ..project.environments import read_environment
from ..project.interpreter import Interpreter
from ..project.roots import Project, folders_of_repository
from ..terminal.problems import Problem
from ..terminal.saying import say
from . import plugin
from .known_plugins import known_plugins

# The project's options for mypy that are kept: where things are, and what the code means; not how strict to be.
_TAKEN: Final = (
    *("always_false", "always_true", "custom_typeshed_dir", "exclude", "follow_imports", "follow_untyped_imports"),
    *("implicit_optional", "mypy_path", "platform", "strict_optional"),
)
_TAKEN_BY_MODULE: Final = frozenset(
    {"always_false", "always_true", "follow_imports", "follow_untyped_imports", "implicit_optional", "strict_optional"}
)


def options_of(project: Project, python: Interpreter, *, cache: Path) -> Options:
    """mypy's options for a project.

    Raises:
        Problem: mypy cannot use the interpreter, or its environment cannot be read.
    """
    options = new_options(python.path, _read(python))
    plugins = [plugin.NAME]
    if project.config_file is not None:
        with contextlib.chdir(project.root):
            configured = configured_options(project.config_file)
        _take(configured, options)
        plugins += known_plugins(configured.plugins)
        options.config_file = str(project.config_file)
    else:
        options.config_file = str(cache / "no-settings.toml")  # without a configuration file, mypy loads no plugin
        if not Path(options.config_file).exists():
            Path(options.config_file).touch()
    markers = options.per_module_options.setdefault(f"{PACKAGE}.*", {})
    markers["follow_imports"] = "normal"  # they are part of the check, whatever the project's settings are for others
    options.plugins = plugins
    options.cache_dir = str(cache / "mypy")
    options.check_untyped_defs = options.ignore_missing_imports = True
    options.enable_error_code, options.enabled_error_codes = [FINDINGS.code], {FINDINGS}
    options.many_errors_threshold = -1  # otherwise mypy hides errors if there are many and an import is missing
    return options


def _take(configured: Options, options: Options) -> None:
    for name in _TAKEN:
        if hasattr(configured, name):
            setattr(options, name, getattr(configured, name))
    if configured.follow_imports in ("skip", "error"):
        options.follow_imports = "normal"  # set for all modules, it would hide JAX, too
    for pattern, values in configured.per_module_options.items():
        taken = {name: value for name, value in values.items() if name in _TAKEN_BY_MODULE}
        if switched_off := [code for code in values.get("disable_error_code", ()) if code in CODES]:  # type: ignore[attr-defined]
            taken["disable_error_code"] = switched_off
        options.per_module_options[pattern] = taken
    options.disable_error_code = [code for code in configured.disable_error_code if code in CODES]
    options.disabled_error_codes = {CODES[code] for code in options.disable_error_code}


def _read(python: Interpreter) -> SearchFolders | None:
    """The folders of an environment that is not run."""
    if python.unchosen is None:
        return None
    found = read_environment(python.unchosen)
    for file in found.unseen:
        say(
            f"warning: {file} shows an editable install by an import hook, and nothing of the project is run; "
            "name the folder of its source in mypy_path"
        )
    return found.search_folders


def paths_to_check(project: Project, named: list[Path]) -> list[Path]:
    """What the user names, else what the project's configuration of mypy does, else the project.

    Raises:
        Problem: the configuration names something outside of the repository, which the user may not mean to give away.
    """
    if named or project.config_file is None:
        return named or [project.whole]
    with contextlib.chdir(project.root):
        configured = configured_options(project.config_file).files
    paths = [Path(os.path.normpath(project.root / path)) for path in configured or ()] or [project.whole]
    around = folders_of_repository(project.root)[-1]
    for path in paths:
        if not path.is_relative_to(around):
            raise Problem(f"'files' in {project.config_file} names {path}, outside of {around}; name what to check")
    return paths


def settings_of(project: Project) -> Settings:
    """The settings of the checker.

    Raises:
        Problem: a setting is wrong.
    """
    try:
        return Settings.load(str(project.config_file) if project.config_file is not None else None)
    except CompileError as error:
        raise Problem(error.messages[0].partition("error: ")[2] or error.messages[0]) from None
