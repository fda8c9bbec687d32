import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import jax
from jax.typing import ArrayLike
from optax._src import base

@dataclasses.dataclass
class _UpdateResult:
    update: jax.Array
    v_row: jax.Array
    v_col: jax.Array
    v: jax.Array

class FactoredState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    v_row: base.ArrayTree
    v_col: base.ArrayTree
    v: base.ArrayTree

def scale_by_factored_rms(
    factored: bool = True,
    decay_rate: ArrayLike = 0.8,
    step_offset: ArrayLike = 0,
    min_dim_size_to_factor: int = 128,
    epsilon: ArrayLike = 1e-30,
    decay_rate_fn: Callable[[ArrayLike, ArrayLike], ArrayLike] = ...,
) -> base.GradientTransformation: ...
