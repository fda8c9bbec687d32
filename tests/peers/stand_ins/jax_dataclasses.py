"""In place of `jax_dataclasses`."""

from __future__ import annotations

from typing import Any

import jax_dataclasses

from jaxtyped_static import Static as Static
from jaxtyped_static import jit as jit
from tests.peers.stand_ins import dynamic

pytree_dataclass = dynamic


def __getattr__(name: str) -> Any:
    return getattr(jax_dataclasses, name)
