from typing import NamedTuple

import jax
from jax.typing import ArrayLike
from optax._src import base

class DifferentiallyPrivateAggregateState(NamedTuple):
    rng_key: jax.Array

def differentially_private_aggregate(
    l2_norm_clip: ArrayLike, noise_multiplier: ArrayLike, key: jax.Array | int | None = None, *, seed: int | None = None
) -> base.GradientTransformation: ...
def dpsgd(
    learning_rate: base.ScalarOrSchedule,
    l2_norm_clip: ArrayLike,
    noise_multiplier: ArrayLike,
    seed: int,
    momentum: ArrayLike | None = None,
    nesterov: bool = False,
) -> base.GradientTransformation: ...
