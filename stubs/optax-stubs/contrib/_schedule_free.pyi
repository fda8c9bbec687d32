from typing import NamedTuple

import jax
from jax.typing import ArrayLike, DTypeLike
from optax._src import base

class ScheduleFreeState(NamedTuple):
    b1: jax.Array
    weight_sum: jax.Array
    step_count: jax.Array
    max_lr: jax.Array
    base_optimizer_state: base.OptState
    z: base.Params

def schedule_free_eval_params(state: base.OptState, params: base.Params) -> base.Params: ...
def schedule_free(
    base_optimizer: base.GradientTransformation,
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    weight_lr_power: ArrayLike = 2.0,
    state_dtype: DTypeLike | None = None,
) -> base.GradientTransformationExtraArgs: ...
def schedule_free_sgd(
    learning_rate: ArrayLike = 1.0,
    warmup_steps: int | None = None,
    b1: ArrayLike = 0.9,
    weight_decay: ArrayLike | None = None,
    weight_lr_power: ArrayLike = 2.0,
    state_dtype: DTypeLike | None = None,
) -> base.GradientTransformationExtraArgs: ...
def schedule_free_adamw(
    learning_rate: ArrayLike = 0.0025,
    warmup_steps: int | None = None,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    weight_decay: ArrayLike = 0.0,
    weight_lr_power: ArrayLike = 2.0,
    state_dtype: DTypeLike | None = None,
) -> base.GradientTransformationExtraArgs: ...
