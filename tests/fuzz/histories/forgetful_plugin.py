"""The checker without recording dependencies for mypy's daemon: the fault that edit histories must find."""

from __future__ import annotations

from mypy.checker import TypeChecker

from jaxtyped_static_mypy.compat import dependencies as compat_dependencies
from jaxtyped_static_mypy.plugin import plugin as plugin


def _forget(triggers: list[str], chk: TypeChecker) -> None:
    pass


compat_dependencies._wait_for = _forget
