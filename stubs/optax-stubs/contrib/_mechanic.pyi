from typing import NamedTuple

import jax
from jax.typing import ArrayLike
from optax._src import base

class MechanicState(NamedTuple):
    base_optimizer_state: base.OptState
    count: jax.Array  # type: ignore[assignment]
    r: jax.Array
    m: jax.Array
    v: jax.Array
    s: jax.Array
    x0: base.Updates

def mechanize(
    base_optimizer: base.GradientTransformation | base.GradientTransformationExtraArgs,
    weight_decay: ArrayLike = 0.01,
    eps: ArrayLike = 1e-08,
    s_init: ArrayLike = 1e-06,
    num_betas: int = 6,
) -> base.GradientTransformationExtraArgs: ...
