from collections.abc import Callable
from typing import Any, TypeAlias

from jax.typing import ArrayLike, DTypeLike
from optax._src import base

MaskOrFn: TypeAlias = Any | Callable[[base.Params], Any] | None

def adabelief(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-16,
    eps_root: ArrayLike = 1e-16,
    *,
    nesterov: bool = False,
) -> base.GradientTransformationExtraArgs: ...
def adadelta(
    learning_rate: base.ScalarOrSchedule | None = None,
    rho: ArrayLike = 0.9,
    eps: ArrayLike = 1e-06,
    weight_decay: ArrayLike | base.ScalarOrSchedule = 0.0,
    weight_decay_mask: MaskOrFn = None,
) -> base.GradientTransformationExtraArgs: ...
def adafactor(
    learning_rate: base.ScalarOrSchedule | None = None,
    min_dim_size_to_factor: int = 128,
    decay_rate: ArrayLike = 0.8,
    decay_offset: ArrayLike = 0,
    multiply_by_parameter_scale: bool = True,
    clipping_threshold: ArrayLike | None = 1.0,
    momentum: ArrayLike | None = None,
    dtype_momentum: DTypeLike = ...,
    weight_decay_rate: base.ScalarOrSchedule | None = None,
    eps: ArrayLike = 1e-30,
    factored: bool = True,
    weight_decay_mask: MaskOrFn = None,
) -> base.GradientTransformationExtraArgs: ...
def adagrad(
    learning_rate: base.ScalarOrSchedule, initial_accumulator_value: ArrayLike = 0.1, eps: ArrayLike = 1e-07
) -> base.GradientTransformationExtraArgs: ...
def adam(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    mu_dtype: Any | None = None,
    *,
    nesterov: bool = False,
) -> base.GradientTransformationExtraArgs: ...
def nadam(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    mu_dtype: Any | None = None,
    *,
    nesterov: bool = True,
) -> base.GradientTransformationExtraArgs: ...
def adamw(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    mu_dtype: Any | None = None,
    weight_decay: base.ScalarOrSchedule = 0.0001,
    mask: Any | Callable[[base.Params], Any] | None = None,
    *,
    nesterov: bool = False,
) -> base.GradientTransformationExtraArgs: ...
def nadamw(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    mu_dtype: Any | None = None,
    weight_decay: base.ScalarOrSchedule = 0.0001,
    mask: Any | Callable[[base.Params], Any] | None = None,
    *,
    nesterov: bool = True,
) -> base.GradientTransformationExtraArgs: ...
def adan(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.98,
    b2: ArrayLike = 0.92,
    b3: ArrayLike = 0.99,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 1e-08,
    weight_decay: base.ScalarOrSchedule = 0.0,
    mask: Any | Callable[[base.Params], Any] | None = None,
) -> base.GradientTransformationExtraArgs: ...
def lion(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.99,
    mu_dtype: Any | None = None,
    weight_decay: base.ScalarOrSchedule = 0.001,
    mask: Any | Callable[[base.Params], Any] | None = None,
) -> base.GradientTransformationExtraArgs: ...
def amsgrad(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    mu_dtype: Any | None = None,
    bias_correction_mu: bool = True,
    bias_correction_nu: bool = True,
) -> base.GradientTransformationExtraArgs: ...
def fromage(
    learning_rate: base.ScalarOrSchedule, min_norm: ArrayLike = 1e-06
) -> base.GradientTransformationExtraArgs: ...
def lars(
    learning_rate: base.ScalarOrSchedule,
    weight_decay: base.ScalarOrSchedule = 0.0,
    weight_decay_mask: MaskOrFn = True,
    trust_coefficient: ArrayLike = 0.001,
    eps: ArrayLike = 0.0,
    trust_ratio_mask: MaskOrFn = True,
    momentum: ArrayLike = 0.9,
    nesterov: bool = False,
) -> base.GradientTransformationExtraArgs: ...
def lamb(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-06,
    eps_root: ArrayLike = 0.0,
    weight_decay: base.ScalarOrSchedule = 0.0,
    mask: MaskOrFn = None,
) -> base.GradientTransformationExtraArgs: ...
def noisy_sgd(
    learning_rate: base.ScalarOrSchedule,
    eta: ArrayLike = 0.01,
    gamma: ArrayLike = 0.55,
    key: ArrayLike | None = None,
    *,
    seed: int | None = None,
) -> base.GradientTransformationExtraArgs: ...
def sign_sgd(learning_rate: base.ScalarOrSchedule) -> base.GradientTransformationExtraArgs: ...
def signum(
    learning_rate: base.ScalarOrSchedule, beta: ArrayLike = 0.9, accumulator_dtype: Any | None = None
) -> base.GradientTransformationExtraArgs: ...
def novograd(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.25,
    eps: ArrayLike = 1e-06,
    eps_root: ArrayLike = 0.0,
    weight_decay: base.ScalarOrSchedule = 0.0,
) -> base.GradientTransformationExtraArgs: ...
def optimistic_gradient_descent(
    learning_rate: base.ScalarOrSchedule, alpha: base.ScalarOrSchedule = 1.0, beta: base.ScalarOrSchedule = 1.0
) -> base.GradientTransformationExtraArgs: ...
def optimistic_adam(
    learning_rate: ArrayLike,
    optimism: ArrayLike | None = None,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    mu_dtype: Any | None = None,
    *,
    nesterov: bool = True,
) -> base.GradientTransformationExtraArgs: ...
def optimistic_adam_v2(
    learning_rate: base.ScalarOrSchedule,
    *,
    alpha: ArrayLike = 1.0,
    beta: ArrayLike = 1.0,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    mu_dtype: Any | None = None,
    nesterov: bool = True,
) -> base.GradientTransformationExtraArgs: ...
def radam(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    threshold: ArrayLike = 5.0,
    *,
    nesterov: bool = False,
) -> base.GradientTransformationExtraArgs: ...
def rmsprop(
    learning_rate: base.ScalarOrSchedule,
    decay: ArrayLike = 0.9,
    eps: ArrayLike = 1e-08,
    initial_scale: ArrayLike = 0.0,
    eps_in_sqrt: bool = True,
    centered: bool = False,
    momentum: ArrayLike | None = None,
    nesterov: bool = False,
    bias_correction: bool = False,
) -> base.GradientTransformationExtraArgs: ...
def sgd(
    learning_rate: base.ScalarOrSchedule,
    momentum: ArrayLike | None = None,
    nesterov: bool = False,
    accumulator_dtype: Any | None = None,
) -> base.GradientTransformationExtraArgs: ...
def sm3(learning_rate: ArrayLike, momentum: ArrayLike = 0.9) -> base.GradientTransformationExtraArgs: ...
def yogi(
    learning_rate: base.ScalarOrSchedule, b1: ArrayLike = 0.9, b2: ArrayLike = 0.999, eps: ArrayLike = 0.001
) -> base.GradientTransformationExtraArgs: ...
def adamax(
    learning_rate: base.ScalarOrSchedule, b1: ArrayLike = 0.9, b2: ArrayLike = 0.999, eps: ArrayLike = 1e-08
) -> base.GradientTransformationExtraArgs: ...
def adamaxw(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-08,
    weight_decay: base.ScalarOrSchedule = 0.0001,
    mask: Any | Callable[[base.Params], Any] | None = None,
) -> base.GradientTransformationExtraArgs: ...
def rprop(
    learning_rate: ArrayLike,
    eta_minus: ArrayLike = 0.5,
    eta_plus: ArrayLike = 1.2,
    min_step_size: ArrayLike = 1e-06,
    max_step_size: ArrayLike = 50.0,
) -> base.GradientTransformationExtraArgs: ...
def polyak_sgd(
    max_learning_rate: ArrayLike = 1.0,
    scaling: base.ScalarOrSchedule = 1.0,
    f_min: ArrayLike = 0.0,
    eps: ArrayLike = 0.0,
    variant: str = "sps",
) -> base.GradientTransformationExtraArgs: ...
def lbfgs(
    learning_rate: base.ScalarOrSchedule | None = None,
    memory_size: int = 10,
    scale_init_precond: bool = True,
    linesearch: base.GradientTransformationExtraArgs | base.GradientTransformation | None = ...,
) -> base.GradientTransformationExtraArgs: ...
