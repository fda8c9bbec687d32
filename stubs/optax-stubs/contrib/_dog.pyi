from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import jax
from jax.typing import ArrayLike
from optax._src import base

class DoGState(NamedTuple):
    is_init_step: jax.Array
    init_params: base.ArrayTree
    max_dist: jax.Array
    sum_sq_norm_grads: jax.Array

def scale_by_dog(
    init_step: tuple[Literal["distance", "learning_rate", "heuristic"], ArrayLike], eps: ArrayLike = 1e-08
) -> base.GradientTransformation: ...
def dog(
    learning_rate: base.ScalarOrSchedule = 1.0,
    init_step: tuple[Literal["distance", "learning_rate", "heuristic"], ArrayLike] = ("heuristic", 1e-06),
    eps: ArrayLike = 1e-08,
    weight_decay: ArrayLike | None = None,
    mask: Any | Callable[[base.Params], Any] | None = None,
) -> base.GradientTransformationExtraArgs: ...

class DoWGState(NamedTuple):
    init_params: base.ArrayTree
    weighted_sq_norm_grads: jax.Array
    estim_sq_dist: jax.Array

def scale_by_dowg(
    init_estim_sq_dist: ArrayLike | None = None, eps: ArrayLike = 0.0001
) -> base.GradientTransformation: ...
def dowg(
    learning_rate: base.ScalarOrSchedule = 1.0,
    init_estim_sq_dist: ArrayLike | None = None,
    eps: ArrayLike = 0.0001,
    weight_decay: ArrayLike | None = None,
    mask: Any | Callable[[base.Params], Any] | None = None,
) -> base.GradientTransformationExtraArgs: ...
