from collections.abc import Callable

import jax
from jax import lax
from jax.typing import ArrayLike
from optax._src import base

def global_norm(updates: base.PyTree) -> jax.Array: ...
def power_iteration(
    matrix: ArrayLike | Callable[[base.ArrayTree], base.ArrayTree],
    *,
    v0: base.ArrayTree | None = None,
    num_iters: ArrayLike = 100,
    error_tolerance: ArrayLike = 1e-06,
    precision: lax.Precision = ...,
    key: base.PRNGKey | None = None,
) -> tuple[jax.Array, base.ArrayTree]: ...
def matrix_inverse_pth_root(
    matrix: ArrayLike,
    p: ArrayLike,
    num_iters: ArrayLike = 100,
    ridge_epsilon: ArrayLike = 1e-06,
    error_tolerance: ArrayLike = 1e-06,
    precision: lax.Precision = ...,
) -> tuple[jax.Array, jax.Array]: ...
def get_spectral_radius_upper_bound(matrix: ArrayLike) -> jax.Array: ...
def nnls(A: jax.Array, b: jax.Array, iters: int, unroll: int | bool = 1, L: ArrayLike | None = None) -> jax.Array: ...
