from collections.abc import Callable
from typing import Any

import jax
from jax.typing import ArrayLike, DTypeLike
from optax._src import base

class Normal:
    def sample(self, key: ArrayLike, sample_shape: base.Shape = (), dtype: DTypeLike = ...) -> jax.Array: ...
    def log_prob(self, inputs: jax.Array) -> jax.Array: ...

class Gumbel:
    def sample(self, key: ArrayLike, sample_shape: base.Shape = (), dtype: DTypeLike = ...) -> jax.Array: ...
    def log_prob(self, inputs: jax.Array) -> jax.Array: ...

def make_perturbed_fun(
    fun: Callable[[base.ArrayTree], base.ArrayTree],
    num_samples: int = 1000,
    sigma: ArrayLike = 0.1,
    noise: Any = ...,
    use_baseline: bool = True,
) -> Callable[[base.PRNGKey, base.ArrayTree], base.ArrayTree]: ...
