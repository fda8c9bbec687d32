from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import jax
from jax.typing import ArrayLike, DTypeLike
from optax._src import base

class TraceState(NamedTuple):
    trace: base.Params

def trace(
    decay: ArrayLike, nesterov: bool = False, accumulator_dtype: Any | None = None
) -> base.GradientTransformation: ...

class EmaState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    ema: base.Params

def ema(decay: ArrayLike, debias: bool = True, accumulator_dtype: Any | None = None) -> base.GradientTransformation: ...

class ShouldSkipUpdateFunction(Protocol):
    def __call__(
        self, updates: base.Updates, gradient_step: ArrayLike, params: base.Params | None
    ) -> tuple[jax.Array, base.ArrayTree]: ...

def skip_not_finite(
    updates: base.Updates, gradient_step: ArrayLike, params: base.Params | None
) -> tuple[jax.Array, base.ArrayTree]: ...
def skip_large_updates(
    updates: base.Updates, gradient_step: ArrayLike, params: base.Params | None, max_squared_norm: ArrayLike
) -> tuple[jax.Array, base.ArrayTree]: ...

class MultiStepsState(NamedTuple):
    mini_step: jax.Array
    gradient_step: jax.Array
    inner_opt_state: Any
    acc_grads: Any
    skip_state: base.ArrayTree = ...

class MultiSteps:
    def __init__(
        self,
        opt: base.GradientTransformation,
        every_k_schedule: int | Callable[[ArrayLike], ArrayLike],
        use_grad_mean: bool = True,
        should_skip_update_fn: ShouldSkipUpdateFunction | None = None,
        accumulator_dtype: DTypeLike = ...,
    ) -> None: ...
    @property
    def inner_opt(self) -> base.GradientTransformationExtraArgs: ...
    def init(self, params: Any) -> MultiStepsState: ...
    def update(
        self, updates: base.Updates, state: MultiStepsState, params: base.Params | None = None, **extra_args: Any
    ) -> tuple[base.Updates, MultiStepsState]: ...
    def has_updated(self, state: MultiStepsState | base.ArrayTree) -> jax.Array: ...
    def gradient_transformation(self) -> base.GradientTransformation: ...
