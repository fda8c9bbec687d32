from typing import NamedTuple

import jax
from jax.typing import ArrayLike
from optax._src import base

class LookaheadState(NamedTuple):
    fast_state: base.OptState
    steps_since_sync: jax.Array

class LookaheadParams(NamedTuple):
    fast: base.Params
    slow: base.Params
    @classmethod
    def init_synced(cls, params: base.Params) -> LookaheadParams: ...

def lookahead(
    fast_optimizer: base.GradientTransformation,
    sync_period: ArrayLike,
    slow_step_size: ArrayLike,
    reset_state: bool = False,
) -> base.GradientTransformation: ...
