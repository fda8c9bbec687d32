from collections.abc import Callable
from typing import NamedTuple

import jax
from jax.typing import ArrayLike
from optax._src import base

class BacktrackingLinesearchInfo(NamedTuple):
    num_linesearch_steps: jax.Array
    decrease_error: jax.Array

class ScaleByBacktrackingLinesearchState(NamedTuple):
    learning_rate: jax.Array
    value: jax.Array
    grad: base.Updates | None
    info: BacktrackingLinesearchInfo

class BacktrackingLineSearchState(NamedTuple):
    learning_rate: jax.Array
    new_value: jax.Array
    new_grad: base.Updates
    decrease_error: jax.Array
    iter_num: jax.Array

def scale_by_backtracking_linesearch(
    max_backtracking_steps: ArrayLike,
    slope_rtol: ArrayLike = 0.0001,
    decrease_factor: ArrayLike = 0.8,
    increase_factor: ArrayLike = 1.5,
    max_learning_rate: ArrayLike = 1.0,
    atol: ArrayLike = 0.0,
    rtol: ArrayLike = 0.0,
    store_grad: bool = False,
    verbose: bool = False,
) -> base.GradientTransformationExtraArgs: ...

FLAG_INTERVAL_NOT_FOUND: str
FLAG_INTERVAL_TOO_SMALL: str
FLAG_CURVATURE_COND_NOT_SATISFIED: str
FLAG_NO_STEPSIZE_FOUND: str
FLAG_NOT_A_DESCENT_DIRECTION: str

class ZoomLinesearchState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    params: base.Params
    updates: base.Updates
    stepsize_guess: jax.Array
    stepsize: jax.Array
    value: jax.Array
    grad: base.Updates
    slope: jax.Array
    value_init: jax.Array
    slope_init: jax.Array
    decrease_error: jax.Array
    curvature_error: jax.Array
    error: jax.Array
    interval_found: jax.Array
    done: jax.Array
    failed: jax.Array
    low: jax.Array
    value_low: jax.Array
    slope_low: jax.Array
    high: jax.Array
    value_high: jax.Array
    slope_high: jax.Array
    cubic_ref: jax.Array
    value_cubic_ref: jax.Array
    safe_stepsize: jax.Array
    safe_value: jax.Array
    safe_grad: base.Updates

def zoom_linesearch(
    max_linesearch_steps: ArrayLike,
    max_stepsize: ArrayLike | None = None,
    tol: ArrayLike = 0.0,
    increase_factor: ArrayLike = 2.0,
    slope_rtol: ArrayLike = 0.0001,
    curv_rtol: ArrayLike = 0.9,
    approx_dec_rtol: ArrayLike | None = 1e-06,
    interval_threshold: ArrayLike = 1e-05,
    verbose: bool = False,
) -> tuple[Callable[..., ZoomLinesearchState], Callable[..., ZoomLinesearchState], Callable[..., ArrayLike]]: ...

class ZoomLinesearchInfo(NamedTuple):
    num_linesearch_steps: jax.Array
    decrease_error: jax.Array
    curvature_error: jax.Array

class ScaleByZoomLinesearchState(NamedTuple):
    learning_rate: jax.Array
    value: jax.Array
    grad: base.Updates
    info: ZoomLinesearchInfo

def scale_by_zoom_linesearch(
    max_linesearch_steps: ArrayLike,
    max_learning_rate: ArrayLike | None = None,
    tol: ArrayLike = 0.0,
    increase_factor: ArrayLike = 2.0,
    slope_rtol: ArrayLike = 0.0001,
    curv_rtol: ArrayLike = 0.9,
    approx_dec_rtol: ArrayLike | None = 1e-06,
    stepsize_precision: ArrayLike = 1e-05,
    initial_guess_strategy: str = "keep",
    verbose: bool = False,
) -> base.GradientTransformationExtraArgs: ...
def value_and_grad_from_state(value_fn: Callable[..., ArrayLike]) -> Callable[..., tuple[jax.Array, base.Updates]]: ...
