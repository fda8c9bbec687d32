from collections.abc import Callable
from typing import Any, Protocol

import jax

class MaxFun(Protocol):
    def __call__(self, scores, *args, **kwargs: Any) -> jax.Array: ...

def make_fenchel_young_loss(max_fun: MaxFun) -> Callable[..., jax.Array]: ...
