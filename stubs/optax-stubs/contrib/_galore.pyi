from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import jax
from jax.typing import ArrayLike
from optax._src import base

ReshapeFn: TypeAlias = Callable[[jax.Array], jax.Array]

class GaLoreDimensionNumbers(NamedTuple):
    reduction_axis: Sequence[int] | int = ...
    output_axis: Sequence[int] | int = ...

GaLoreDimNumsOrFn: TypeAlias = GaLoreDimensionNumbers | base.Params | Callable[[base.Params], base.Params | None]

class GaLoreState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    base_optimizer_state: base.OptState
    projector: base.Updates

def scale_by_galore(
    rank: int = 128,
    update_proj_gap: int = 200,
    scale: float = 1.0,
    base_optimizer: base.GradientTransformation | None = None,
    weight_dimension_numbers: GaLoreDimNumsOrFn | None = None,
) -> base.GradientTransformation: ...
def galore(
    learning_rate: base.ScalarOrSchedule,
    rank: int = 128,
    update_proj_gap: int = 200,
    scale: float = 1.0,
    base_optimizer: base.GradientTransformation | None = None,
    weight_decay: ArrayLike = 0.0,
    mask: Any | Callable[[base.Params], Any] | None = None,
    weight_dimension_numbers: GaLoreDimNumsOrFn | None = None,
) -> base.GradientTransformation: ...
