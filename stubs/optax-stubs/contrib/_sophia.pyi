from collections.abc import Callable
from typing import Any, NamedTuple

import jax
from jax.typing import ArrayLike
from optax._src import base

class HutchinsonState(NamedTuple):
    key: jax.Array

def hutchinson_estimator_diag_hessian(random_seed: jax.Array | None = None) -> base.GradientTransformationExtraArgs: ...

class SophiaState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    mu: base.Updates
    nu: base.Updates
    hessian_fn_state: Any

def scale_by_sophia(
    b1: ArrayLike = 0.965,
    b2: ArrayLike = 0.99,
    eps: ArrayLike = 1e-08,
    gamma: ArrayLike = 0.01,
    clip_threshold: ArrayLike | None = 1.0,
    update_interval: ArrayLike = 10,
    hessian_diagonal_fn: base.GradientTransformation | base.GradientTransformationExtraArgs = ...,
    mu_dtype: Any | None = None,
    verbose: bool = False,
    print_win_rate_every_n_steps: ArrayLike = 0,
) -> base.GradientTransformationExtraArgs: ...
def sophia(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.965,
    b2: ArrayLike = 0.99,
    eps: ArrayLike = 1e-08,
    weight_decay: ArrayLike = 0.0001,
    weight_decay_mask: Any | Callable[[base.Params], Any] | None = None,
    gamma: ArrayLike = 0.01,
    clip_threshold: ArrayLike | None = 1.0,
    update_interval: ArrayLike = 10,
    hessian_diagonal_fn: base.GradientTransformation | base.GradientTransformationExtraArgs = ...,
    mu_dtype: Any | None = None,
    verbose: bool = False,
    print_win_rate_every_n_steps: ArrayLike = 0,
) -> base.GradientTransformationExtraArgs: ...
