from typing import Literal, NamedTuple

import jax
from jax.typing import ArrayLike, DTypeLike
from optax._src import base
from optax._src.numerics import abs_sq as abs_sq
from optax.transforms._accumulation import EmaState as EmaState
from optax.transforms._accumulation import TraceState as TraceState
from optax.transforms._accumulation import ema as ema
from optax.transforms._accumulation import trace as trace
from optax.transforms._adding import AddNoiseState as AddNoiseState
from optax.transforms._adding import add_decayed_weights as add_decayed_weights
from optax.transforms._adding import add_noise as add_noise

class ScaleByRssState(NamedTuple):
    sum_of_squares: base.Updates

def scale_by_rss(initial_accumulator_value: ArrayLike = 0.1, eps: ArrayLike = 1e-07) -> base.GradientTransformation: ...

class ScaleByRmsState(NamedTuple):
    nu: base.Updates

class ScaleByRmsWithCountState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    nu: base.Updates

def scale_by_rms(
    decay: ArrayLike = 0.9,
    eps: ArrayLike = 1e-08,
    initial_scale: ArrayLike = 0.0,
    eps_in_sqrt: bool = True,
    bias_correction: bool = False,
) -> base.GradientTransformation: ...

class ScaleByRStdDevState(NamedTuple):
    mu: base.Updates
    nu: base.Updates

class ScaleByRStdDevWithCountState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    mu: base.Updates
    nu: base.Updates

def scale_by_stddev(
    decay: ArrayLike = 0.9,
    eps: ArrayLike = 1e-08,
    initial_scale: ArrayLike = 0.0,
    eps_in_sqrt: bool = True,
    bias_correction: bool = False,
) -> base.GradientTransformation: ...

class ScaleByAdamState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    mu: base.Updates
    nu: base.Updates

def scale_by_adam(
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    mu_dtype: DTypeLike | None = None,
    *,
    nesterov: bool = False,
) -> base.GradientTransformation: ...

class ScaleByAmsgradState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    mu: base.Updates
    nu: base.Updates
    nu_max: base.Updates

def scale_by_amsgrad(
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    mu_dtype: DTypeLike | None = None,
    bias_correction_mu: bool = True,
    bias_correction_nu: bool = True,
) -> base.GradientTransformation: ...
def scale_by_adamax(
    b1: ArrayLike = 0.9, b2: ArrayLike = 0.999, eps: ArrayLike = 1e-08
) -> base.GradientTransformation: ...

class ScaleByLionState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    mu: base.Updates

def scale_by_lion(
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.99,
    mu_dtype: DTypeLike | None = None,
    *,
    mode: Literal["hard", "smooth", "refined"] = "hard",
    smooth_beta: float = 1.0,
) -> base.GradientTransformation: ...
def scale(step_size: ArrayLike) -> base.GradientTransformation: ...
def scale_by_param_block_norm(min_scale: ArrayLike = 0.001) -> base.GradientTransformation: ...
def scale_by_param_block_rms(min_scale: ArrayLike = 0.001) -> base.GradientTransformation: ...

class ScaleByAdaDeltaState(NamedTuple):
    e_g: base.Updates
    e_x: base.Updates

def scale_by_adadelta(rho: ArrayLike = 0.9, eps: ArrayLike = 1e-06) -> base.GradientTransformation: ...

class ScaleByAdanState(NamedTuple):
    m: base.Updates
    v: base.Updates
    n: base.Updates
    g: base.Updates
    t: jax.Array

def scale_by_adan(
    b1: ArrayLike = 0.98, b2: ArrayLike = 0.92, b3: ArrayLike = 0.99, eps: ArrayLike = 1e-08, eps_root: ArrayLike = 0.0
) -> base.GradientTransformation: ...

class ScaleByBeliefState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    mu: base.Updates
    nu: base.Updates

def scale_by_belief(
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-16,
    eps_root: ArrayLike = 1e-16,
    *,
    nesterov: bool = False,
) -> base.GradientTransformation: ...
def scale_by_yogi(
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 0.001,
    eps_root: ArrayLike = 0.0,
    initial_accumulator_value: ArrayLike = 1e-06,
) -> base.GradientTransformation: ...
def scale_by_radam(
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    threshold: ArrayLike = 5.0,
    *,
    nesterov: bool = False,
) -> base.GradientTransformation: ...

class ScaleByRpropState(NamedTuple):
    step_sizes: base.Updates
    prev_updates: base.Updates

def scale_by_rprop(
    learning_rate: ArrayLike,
    eta_minus: ArrayLike = 0.5,
    eta_plus: ArrayLike = 1.2,
    min_step_size: ArrayLike = 1e-06,
    max_step_size: ArrayLike = 50.0,
) -> base.GradientTransformation: ...
def scale_by_sign() -> base.GradientTransformation: ...

class ScaleByScheduleState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]

def scale_by_learning_rate(
    learning_rate: base.ScalarOrSchedule | None = None, *, flip_sign: bool = True
) -> base.GradientTransformation: ...
def scale_by_schedule(step_size_fn: base.Schedule) -> base.GradientTransformation: ...
def scale_by_trust_ratio(
    min_norm: ArrayLike = 0.0, trust_coefficient: ArrayLike = 1.0, eps: ArrayLike = 0.0
) -> base.GradientTransformation: ...

class ApplyEvery(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    grad_acc: base.Updates

def apply_every(k: ArrayLike = 1) -> base.GradientTransformation: ...
def centralize() -> base.GradientTransformation: ...

class ScaleBySM3State(NamedTuple):
    mu: base.Updates
    nu: base.Updates

def scale_by_sm3(b1: ArrayLike = 0.9, b2: ArrayLike = 1.0, eps: ArrayLike = 1e-08) -> base.GradientTransformation: ...

class ScaleByNovogradState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    mu: base.Updates
    nu: base.Updates

def scale_by_novograd(
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.25,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    weight_decay: ArrayLike = 0.0,
    mu_dtype: DTypeLike | None = None,
) -> base.GradientTransformation: ...

class ScaleByOptimisticGradientState(NamedTuple):
    is_initial_step: jax.Array
    previous_gradient: base.Updates

def scale_by_optimistic_gradient(alpha: ArrayLike = 1.0, beta: ArrayLike = 1.0) -> base.GradientTransformation: ...

class ScaleByDistanceOverGradientsState(NamedTuple):
    max_dist: base.OptState
    grad_sum_of_squares: base.OptState
    init_params: base.OptState

def scale_by_distance_over_gradients(
    reps_rel: float = 1e-06, eps: float = 1e-08, param_dtype: DTypeLike | None = ..., global_scale: float = 1.0
) -> base.GradientTransformation: ...
def scale_by_polyak(
    f_min: ArrayLike = 0.0, max_learning_rate: ArrayLike = 1.0, eps: ArrayLike = 0.0, variant: str = "sps"
) -> base.GradientTransformationExtraArgs: ...

class ScaleByLBFGSState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    params: base.Params
    updates: base.Params
    diff_params_memory: base.ArrayTree
    diff_updates_memory: base.ArrayTree
    weights_memory: jax.Array

def scale_by_lbfgs(memory_size: int = 10, scale_init_precond: bool = True) -> base.GradientTransformation: ...
def normalize_by_update_norm(scale_factor: ArrayLike = 1.0, eps: ArrayLike = 1e-06) -> base.GradientTransformation: ...

AddDecayedWeightsState = base.EmptyState
ScaleState = base.EmptyState
ScaleByTrustRatioState = base.EmptyState
