from typing import NamedTuple

import jax
from optax._src import base

NormalizeState = base.EmptyState

def normalize() -> base.GradientTransformation: ...

class SAMState(NamedTuple):
    steps_since_sync: jax.Array
    opt_state: base.OptState
    adv_state: base.OptState
    cache: base.Params | None

def sam(
    optimizer: base.GradientTransformation,
    adv_optimizer: base.GradientTransformation,
    sync_period: int = 2,
    reset_state: bool = True,
    opaque_mode: bool = False,
    batch_axis_name: str | None = None,
) -> base.GradientTransformationExtraArgs: ...
