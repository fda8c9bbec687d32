from typing import NamedTuple

import jax
from optax._src import base

class MadgradState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    grad_sum_sq: base.Updates
    s: base.Updates
    x0: base.Params

def scale_by_madgrad(
    learning_rate: base.ScalarOrSchedule, momentum: float = 0.9, eps: float = 1e-06
) -> base.GradientTransformation: ...
def madgrad(
    learning_rate: base.ScalarOrSchedule, momentum: float = 0.9, weight_decay: float = 0.0, eps: float = 1e-06
) -> base.GradientTransformation: ...
