"""Reads `JAXTYPED_STATIC` from the environment when the package is imported; it applies to the whole process."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Final

from jaxtyped_static._calls.watching import start_watching

if TYPE_CHECKING:
    from jaxtyped_static._calls.guarding import Guard

VARIABLE: Final = "JAXTYPED_STATIC"
# Level → whether functions compiled by `jax.jit` are guarded, too. The last is an earlier name of the first.
_GUARDS: Final = {"guard": True, "guard-ours": False, "guard-all": True}
_RECORD: Final = "record"


def switch_on() -> None:
    """Guards or records the process if the environment variable asks for it.

    Raises:
        ValueError: the variable has an unknown value.
    """
    setting = os.environ.get(VARIABLE)
    if not setting:
        return
    if setting == _RECORD:
        # Imported on use, like the guard below.
        from jaxtyped_static._recording.process import record_from_environment

        record_from_environment()
        return
    if setting not in _GUARDS:
        *first, last = (f'"{name}"' for name in (*_GUARDS, _RECORD))
        allowed = f"{', '.join(first)} or {last}"
        raise ValueError(f'{VARIABLE} is "{setting}" in the environment; set it to {allowed}, or unset it')
    # Imported on use: this is a seventh of the import time, and few programs need it.
    from jaxtyped_static._calls.guarding import Guard

    guard = Guard(jax_jit=_GUARDS[setting])
    start_watching(guard)
    _explain_at_exit(guard)


def _explain_at_exit(guard: Guard) -> None:
    """Adds to JAX's error about an argument without a hash which one it is, as the end of a block does.

    JAX raises it before anybody sees the call, so it is added where Python shows an error that nobody caught.
    """
    show = sys.excepthook

    def explain_and_show(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
        guard.explain(error)
        show(kind, error, at)

    sys.excepthook = explain_and_show
