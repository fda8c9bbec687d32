from typing import NamedTuple

import jax
from jax.typing import ArrayLike
from optax._src import base

class MomoState(NamedTuple):
    exp_avg: base.Updates
    barf: jax.Array
    gamma: jax.Array
    lb: jax.Array
    count: jax.Array  # type: ignore[assignment]

def momo(
    learning_rate: base.ScalarOrSchedule = 1.0,
    beta: ArrayLike = 0.9,
    lower_bound: ArrayLike = 0.0,
    weight_decay: ArrayLike = 0.0,
    adapt_lower_bound: bool = False,
) -> base.GradientTransformationExtraArgs: ...

class MomoAdamState(NamedTuple):
    exp_avg: base.Updates
    exp_avg_sq: base.Updates
    barf: jax.Array
    gamma: jax.Array
    lb: jax.Array
    count: jax.Array  # type: ignore[assignment]

def momo_adam(
    learning_rate: base.ScalarOrSchedule = 0.01,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    lower_bound: ArrayLike = 0.0,
    weight_decay: ArrayLike = 0.0,
    adapt_lower_bound: bool = False,
) -> base.GradientTransformationExtraArgs: ...
