from collections.abc import Callable
from typing import Any

from jax.typing import ArrayLike
from optax._src import base

def scale_by_acprop(
    b1: ArrayLike = 0.9, b2: ArrayLike = 0.999, eps: ArrayLike = 1e-16, eps_root: ArrayLike = 1e-16
) -> base.GradientTransformation: ...
def acprop(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-16,
    eps_root: ArrayLike = 1e-16,
    weight_decay: ArrayLike = 0.0,
    mask: Any | Callable[[base.Params], Any] | None = None,
) -> base.GradientTransformation: ...
