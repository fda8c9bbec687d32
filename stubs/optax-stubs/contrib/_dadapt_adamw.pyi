from typing import NamedTuple

import jax
from jax.typing import ArrayLike
from optax._src import base

class DAdaptAdamWState(NamedTuple):
    exp_avg: base.Updates
    exp_avg_sq: base.Updates
    grad_sum: base.Updates
    estim_lr: jax.Array
    numerator_weighted: jax.Array
    count: jax.Array  # type: ignore[assignment]

def dadapt_adamw(
    learning_rate: base.ScalarOrSchedule = 1.0,
    betas: tuple[ArrayLike, ArrayLike] = (0.9, 0.999),
    eps: ArrayLike = 1e-08,
    estim_lr0: ArrayLike = 1e-06,
    weight_decay: ArrayLike = 0.0,
) -> base.GradientTransformationExtraArgs: ...
