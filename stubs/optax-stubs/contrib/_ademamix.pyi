from collections.abc import Callable
from typing import Any, NamedTuple

import jax
from jax.typing import ArrayLike, DTypeLike
from optax._src import base

class ScaleByAdemamixState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    count_m2: jax.Array
    m1: base.Updates
    m2: base.Updates
    nu: base.Updates

def scale_by_ademamix(
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    b3: base.ScalarOrSchedule = 0.9999,
    alpha: base.ScalarOrSchedule = 6.0,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    mu_dtype: DTypeLike | None = None,
) -> base.GradientTransformation: ...
def ademamix(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    b3: base.ScalarOrSchedule = 0.9999,
    alpha: base.ScalarOrSchedule = 5.0,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    mu_dtype: Any | None = None,
    weight_decay: ArrayLike = 0.0,
    mask: Any | Callable[[base.Params], Any] | None = None,
) -> base.GradientTransformation: ...

class ScaleBySimplifiedAdEMAMixState(NamedTuple):
    t: jax.Array
    m: base.Updates
    n: base.Updates

def lerp(t: ArrayLike, a: ArrayLike, b: ArrayLike) -> jax.Array: ...
def scale_by_simplified_ademamix(
    b1: ArrayLike = 0.99,
    b2: ArrayLike = 0.95,
    alpha: base.ScalarOrSchedule = 0.0,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
) -> base.GradientTransformation: ...
def simplified_ademamix(
    learning_rate: base.ScalarOrSchedule,
    b1: ArrayLike = 0.99,
    b2: ArrayLike = 0.95,
    alpha: base.ScalarOrSchedule = 0.0,
    eps: ArrayLike = 1e-08,
    eps_root: ArrayLike = 0.0,
    weight_decay: ArrayLike = 0.0,
    mask: Any | Callable[[base.Params], Any] | None = None,
) -> base.GradientTransformation: ...
