import jax
from jax.typing import ArrayLike

def abs_sq(x: ArrayLike) -> jax.Array: ...
def safe_norm(
    x: ArrayLike,
    min_norm: ArrayLike,
    ord: int | float | str | None = None,
    axis: tuple[int, ...] | int | None = None,
    keepdims: bool = False,
) -> jax.Array: ...
def safe_root_mean_squares(x: ArrayLike, min_rms: ArrayLike) -> jax.Array: ...
def safe_increment(count: ArrayLike) -> jax.Array: ...

safe_int32_increment = safe_increment
