from typing import Any, TypeVar

from jax.typing import ArrayLike
from optax._src import base

# The results have the structure of the parameters.
_Params = TypeVar("_Params")

def apply_updates(params: _Params, updates: base.Updates) -> _Params: ...
def incremental_update(new_tensors: _Params, old_tensors: Any, step_size: ArrayLike) -> _Params: ...
def periodic_update(new_tensors: _Params, old_tensors: Any, steps: ArrayLike, update_period: ArrayLike) -> _Params: ...
