import jax
from jax.typing import ArrayLike

def squared_error(predictions: ArrayLike, targets: ArrayLike | None = None) -> jax.Array: ...
def l2_loss(predictions: ArrayLike, targets: ArrayLike | None = None) -> jax.Array: ...
def huber_loss(predictions: ArrayLike, targets: ArrayLike | None = None, *, delta: ArrayLike = 1.0) -> jax.Array: ...
def log_cosh(predictions: ArrayLike, targets: ArrayLike | None = None) -> jax.Array: ...
def cosine_similarity(
    predictions: ArrayLike,
    targets: ArrayLike,
    *,
    epsilon: ArrayLike = 0.0,
    axis: int | tuple[int, ...] | None = -1,
    where: ArrayLike | None = None,
) -> jax.Array: ...
def cosine_distance(
    predictions: ArrayLike,
    targets: ArrayLike,
    *,
    epsilon: ArrayLike = 0.0,
    axis: int | tuple[int, ...] | None = -1,
    where: ArrayLike | None = None,
) -> jax.Array: ...
