from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from optax._src import base

class InjectHyperparamsState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    hyperparams: dict[str, Any]
    inner_state: base.OptState

class InjectStatefulHyperparamsState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    hyperparams: dict[str, Any]
    hyperparams_states: dict[str, base.ScheduleState]
    inner_state: base.OptState

def inject_hyperparams(
    inner_factory: Callable[..., base.GradientTransformation],
    static_args: str | Iterable[str] = (),
    hyperparam_dtype: jnp.dtype | None = None,
) -> Callable[..., base.GradientTransformationExtraArgs]: ...
def inject_stateful_hyperparams(
    inner_factory: Callable[..., base.GradientTransformation],
    static_args: str | Iterable[str] = (),
    hyperparam_dtype: jnp.dtype | None = None,
) -> Callable[..., base.GradientTransformationExtraArgs]: ...

class WrappedScheduleState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]

class WrappedSchedule:
    schedule_fn: base.Schedule
    def __init__(self, schedule_fn: base.Schedule) -> None: ...
    def init(self) -> WrappedScheduleState: ...
    def update(self, state: WrappedScheduleState, **extra_args: Any) -> WrappedScheduleState: ...
    def __call__(self, state: WrappedScheduleState, **extra_args: Any) -> jax.Array: ...
