from collections.abc import Callable

import jax
from jax.typing import ArrayLike, DTypeLike
from optax._src import base

def tree_split_key_like(rng_key: base.PRNGKey, target_tree: base.ArrayTree) -> base.ArrayTree: ...
def tree_random_like(
    rng_key: base.PRNGKey,
    target_tree: base.ArrayTree,
    sampler: Callable[[base.PRNGKey, base.Shape, DTypeLike], ArrayLike]
    | Callable[[base.PRNGKey, base.Shape, DTypeLike, jax.sharding.Sharding], ArrayLike] = ...,
    dtype: DTypeLike | None = None,
) -> base.ArrayTree: ...
def tree_unwrap_random_key_data(input_tree: base.ArrayTree) -> base.ArrayTree: ...
