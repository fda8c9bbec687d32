from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, Self, TypeAlias

import jax
from jax.typing import ArrayLike
from optax._src import base

PerElementUpdates: TypeAlias = Any
AggregatedUpdates: TypeAlias = Any
MaybeAxis: TypeAlias = int | Sequence[int] | None

class AggregatorUpdateFn(Protocol):
    def __call__(
        self,
        per_elt_updates: PerElementUpdates,
        state: base.OptState,
        params: base.Params | None = None,
        **extra_args: Any,
    ) -> tuple[AggregatedUpdates, base.OptState]: ...

class Aggregator(base.GradientTransformationExtraArgs):
    init: base.TransformInitFn
    # The arguments have other names than those of the base.
    update: AggregatorUpdateFn  # type: ignore[assignment]
    def __new__(_cls, init: base.TransformInitFn, update: AggregatorUpdateFn) -> Self: ...  # type: ignore[misc]

def process(
    preprocessor: base.GradientTransformation,
    aggregator: base.GradientTransformation | Aggregator,
    postprocessor: base.GradientTransformation,
    aggregator_has_aux: bool = False,
) -> base.GradientTransformation | Aggregator: ...
def average_per_element_updates(per_elt_axis: int | Sequence[int] = 0) -> Aggregator: ...

class AccumulateAvgUpdatesState(NamedTuple):
    micro_step: jax.Array
    ready: jax.Array
    avg_grad: base.Updates

def accumulate_avg_updates(accumulation_steps: int) -> base.GradientTransformation: ...
def average_incrementally_updates(
    per_elt_axis: MaybeAxis, accumulation_steps: int
) -> Aggregator | base.GradientTransformation: ...
def get_batch_size_from_per_elt_updates(per_elt_updates: base.Updates, per_elt_axis: int | list[int]) -> int: ...

class PerElementMeanAndSumSqDiffGradsState(NamedTuple):
    micro_step: jax.Array
    ready: jax.Array
    mean_grads: base.Updates
    sum_sq_diff_grads: base.Updates

def get_per_element_mean_and_sum_sq_diff_grads(
    per_elt_axis: int | Sequence[int] = 0, accumulation_steps: int = 1
) -> Aggregator: ...

class PerElementMeanAndVarianceEMAState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    ema_decay: jax.Array
    mean_grads_ema: base.Updates
    variance_grads_ema: base.Updates

def track_per_element_mean_and_variance_with_ema(ema_decay: ArrayLike = 0.9) -> base.GradientTransformation: ...
def get_unbiased_mean_and_variance_ema(state: base.OptState) -> tuple[base.Updates, base.Updates]: ...
def add_mean_variance_to_opt(
    opt: base.GradientTransformation,
    ema_decay: ArrayLike = 0.9,
    per_elt_axis: int | list[int] = 0,
    accumulation_steps: int = 1,
) -> Aggregator | base.GradientTransformation: ...
