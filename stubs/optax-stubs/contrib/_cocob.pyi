from collections.abc import Callable
from typing import Any, NamedTuple

from jax.typing import ArrayLike
from optax._src import base

class COCOBState(NamedTuple):
    init_particles: base.Updates
    cumulative_gradients: base.Updates
    scale: base.Updates
    subgradients: base.Updates
    reward: base.Updates

def scale_by_cocob(alpha: ArrayLike = 100.0, eps: ArrayLike = 1e-08) -> base.GradientTransformation: ...
def cocob(
    learning_rate: base.ScalarOrSchedule = 1.0,
    alpha: ArrayLike = 100.0,
    eps: ArrayLike = 1e-08,
    weight_decay: ArrayLike = 0.0,
    mask: Any | Callable[[base.Params], Any] | None = None,
) -> base.GradientTransformation: ...
