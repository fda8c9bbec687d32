"""Warns when checks are off: if mypy cannot see the types of jax, `@jax.jit` is `Any`, and no hook is called."""

import functools
from typing import Final

from mypy.modulefinder import ModuleNotFoundReason
from mypy.nodes import MypyFile
from mypy.options import Options

from ..compat.modules import is_installed
from ..compat.mypy_api import find_module
from ..knowledge.full_names import PACKAGE
from ..syntax.imports import imports_package

_JAX: Final = "jax"


def why_off(file: MypyFile, options: Options) -> str | None:
    """Why jit calls in a file that imports jax are not checked, and how to fix that; None if they are."""
    if is_installed(file) or not imports_package(file, _JAX):
        return None
    problem = _why_unseen(options) or _why_half_off(options)
    return f"{file.path}: {PACKAGE}: warning: {problem}" if problem is not None else None


def sees_markers(file: MypyFile, options: Options) -> bool:
    """Whether a user's file imports jax, and mypy can find the markers, which the file itself may not import."""
    return not is_installed(file) and imports_package(file, _JAX) and _finds_markers(options)


def _why_half_off(options: Options) -> str | None:
    if _finds_markers(options):
        return None
    return (
        f"mypy cannot find {PACKAGE}, so calls of functions under plain jax.jit are not checked; "
        "install it next to jax, in the environment of python_executable"
    )


@functools.cache
def _finds_markers(options: Options) -> bool:
    hidden = options.clone_for_module(PACKAGE).follow_imports in ("skip", "error")
    return not hidden and isinstance(find_module(PACKAGE, options), str)


@functools.cache
def _why_unseen(options: Options) -> str | None:
    if options.clone_for_module(_JAX).follow_imports in ("skip", "error"):
        return (
            "follow_imports hides jax from mypy, so no jit call is checked; "
            'set follow_imports = "normal" for the modules "jax.*"'
        )
    found = find_module(_JAX, options)
    if isinstance(found, str):
        return None
    if found is ModuleNotFoundReason.FOUND_WITHOUT_TYPE_HINTS:
        return (
            "mypy finds jax without its types, so no jit call is checked; "
            "install a release of jax that ships py.typed, and remove any stub package that hides it"
        )
    return (
        "mypy cannot find jax, so no jit call is checked; install jax where mypy runs "
        "(pre-commit: additional_dependencies), or set python_executable to the environment that has it"
    )
