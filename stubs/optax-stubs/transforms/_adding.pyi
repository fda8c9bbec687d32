from collections.abc import Callable
from typing import Any, NamedTuple

import jax
from jax.typing import ArrayLike
from optax._src import base

class WeightDecaySchedule(NamedTuple):
    count: jax.Array  # type: ignore[assignment]

def add_decayed_weights(
    weight_decay: base.ScalarOrSchedule = 0.0, mask: Any | Callable[[base.Params], Any] | None = None
) -> base.GradientTransformation: ...

class AddNoiseState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    rng_key: jax.Array

def add_noise(
    eta: ArrayLike, gamma: ArrayLike, key: jax.Array | int | None = None, *, seed: int | None = None
) -> base.GradientTransformation: ...
