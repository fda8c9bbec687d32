import jax
from jax.typing import ArrayLike

def smooth_labels(
    labels: ArrayLike, alpha: ArrayLike, *, axis: int | tuple[int, ...] | None = -1, where: ArrayLike | None = None
) -> jax.Array: ...
