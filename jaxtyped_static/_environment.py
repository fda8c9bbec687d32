"""Reads `JAXTYPED_STATIC` from the environment when the package is imported; it applies to the whole process."""

from __future__ import annotations

import os
from typing import Final

VARIABLE: Final = "JAXTYPED_STATIC"
# Level → whether functions compiled by `jax.jit` are guarded, too. The last is an earlier name of the first.
_GUARDS: Final = {"guard": True, "guard-ours": False, "guard-all": True}


def switch_on() -> None:
    """Guards the process if the environment variable asks for it.

    Raises:
        ValueError: the variable has an unknown value.
    """
    setting = os.environ.get(VARIABLE)
    if not setting:
        return
    if setting not in _GUARDS:
        *first, last = (f'"{name}"' for name in _GUARDS)
        allowed = f"{', '.join(first)} or {last}"
        raise ValueError(f'{VARIABLE} is "{setting}" in the environment; set it to {allowed}, or unset it')
    from jaxtyped_static._calls.watching import start_watching
    from jaxtyped_static._guard import Guard

    start_watching(Guard(jax_jit=_GUARDS[setting]))
