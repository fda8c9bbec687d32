from collections.abc import Iterable

from jax.typing import ArrayLike
from optax._src import base

def constant_schedule(value: ArrayLike) -> base.Schedule: ...
def polynomial_schedule(
    init_value: ArrayLike, end_value: ArrayLike, power: ArrayLike, transition_steps: int, transition_begin: int = 0
) -> base.Schedule: ...
def linear_schedule(
    init_value: ArrayLike, end_value: ArrayLike, transition_steps: int, transition_begin: int = 0
) -> base.Schedule: ...
def piecewise_constant_schedule(
    init_value: ArrayLike, boundaries_and_scales: dict[int, float] | None = None
) -> base.Schedule: ...
def exponential_decay(
    init_value: ArrayLike,
    transition_steps: int,
    decay_rate: float,
    transition_begin: int = 0,
    staircase: bool = False,
    end_value: ArrayLike | None = None,
) -> base.Schedule: ...
def cosine_decay_schedule(
    init_value: ArrayLike, decay_steps: int, alpha: ArrayLike = 0.0, exponent: ArrayLike = 1.0
) -> base.Schedule: ...
def piecewise_interpolate_schedule(
    interpolate_type: str, init_value: ArrayLike, boundaries_and_scales: dict[int, float] | None = None
) -> base.Schedule: ...
def linear_onecycle_schedule(
    transition_steps: int,
    peak_value: ArrayLike,
    pct_start: float = 0.3,
    pct_final: float = 0.85,
    div_factor: float = 25.0,
    final_div_factor: float = 10000.0,
) -> base.Schedule: ...
def cosine_onecycle_schedule(
    transition_steps: int,
    peak_value: ArrayLike,
    pct_start: float = 0.3,
    div_factor: float = 25.0,
    final_div_factor: float = 10000.0,
) -> base.Schedule: ...
def warmup_constant_schedule(init_value: ArrayLike, peak_value: ArrayLike, warmup_steps: int) -> base.Schedule: ...
def warmup_cosine_decay_schedule(
    init_value: ArrayLike,
    peak_value: ArrayLike,
    warmup_steps: int,
    decay_steps: int,
    end_value: ArrayLike = 0.0,
    exponent: ArrayLike = 1.0,
) -> base.Schedule: ...
def warmup_exponential_decay_schedule(
    init_value: ArrayLike,
    peak_value: ArrayLike,
    warmup_steps: int,
    transition_steps: int,
    decay_rate: ArrayLike,
    transition_begin: int = 0,
    staircase: bool = False,
    end_value: ArrayLike | None = None,
) -> base.Schedule: ...
def sgdr_schedule(cosine_kwargs: Iterable[dict[str, ArrayLike]]) -> base.Schedule: ...
