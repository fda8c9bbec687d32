from typing import NamedTuple

import jax
from jax.typing import ArrayLike
from optax._src import base

class ReduceLROnPlateauState(NamedTuple):
    scale: jax.Array
    best_value: jax.Array
    plateau_count: jax.Array
    cooldown_count: jax.Array
    count: jax.Array  # type: ignore[assignment]
    avg_value: jax.Array

def reduce_on_plateau(
    factor: float = 0.1,
    patience: ArrayLike = 10,
    rtol: float = 0.0001,
    atol: float = 0.0,
    cooldown: ArrayLike = 0,
    accumulation_size: ArrayLike = 1,
    min_scale: ArrayLike = 0.0,
) -> base.GradientTransformationExtraArgs: ...
