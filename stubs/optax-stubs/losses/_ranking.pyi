from collections.abc import Callable

import jax
from jax.typing import ArrayLike

def ranking_softmax_loss(
    logits: ArrayLike,
    labels: ArrayLike,
    *,
    where: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    reduce_fn: Callable[..., ArrayLike] | None = ...,
) -> jax.Array: ...
