"""Where arrays are: JAX compiles a traced program again for other devices, shardings, and committed arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import jax

from jaxtyped_static_runs.model import Reason

_MAX_LEAVES: Final = 4096


class Placement(NamedTuple):
    """Where one array is.

    Attributes:
        where: its devices, and how it is divided between them.
        committed: whether JAX must keep it there.
    """

    where: str
    committed: bool

    def __str__(self) -> str:
        return f"{'committed to' if self.committed else 'not committed, on'} {self.where}"


def placements(args: tuple[Any, ...], kwargs: Mapping[str, Any], names: list[str]) -> dict[str, Placement]:
    """Returns where the arrays in arguments are, by their paths; `names` are those of the positional parameters."""
    leaves, _ = jax.tree_util.tree_flatten_with_path((dict(zip(names, args, strict=False)), dict(kwargs)))
    return {
        f"{path[1].key}{jax.tree_util.keystr(path[2:])}": Placement(_where(leaf.sharding), bool(leaf.committed))
        for path, leaf in leaves[:_MAX_LEAVES]
        if isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer)
    }


def _where(sharding: Any) -> str:
    devices = sorted(f"{device.platform}:{device.id}" for device in sharding.device_set)
    if len(devices) == 1:
        return devices[0]
    spec = getattr(sharding, "spec", None)
    return f"{len(devices)} devices{'' if spec is None else f' as {spec}'}"


def moved(before: Mapping[str, Placement], now: Mapping[str, Placement]) -> tuple[Reason, ...]:
    """Returns why a program that was traced before is compiled again."""
    return tuple(
        Reason(path, f"{before[path]} → {now[path]}") for path in now if path in before and before[path] != now[path]
    )
