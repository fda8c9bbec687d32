from collections.abc import Callable
from typing import Any, NamedTuple

from jax.typing import ArrayLike
from optax._src import base

class SnapshotState(NamedTuple):
    measurement: dict[str, Any]

def snapshot(measure_name: str, measure: Callable[[base.Updates], base.ArrayTree]) -> base.GradientTransformation: ...

class MonitorState(NamedTuple):
    measurements: dict[str, base.ArrayTree]
    measure_states: tuple[base.OptState, ...]

def monitor(
    measures: dict[str, base.GradientTransformationExtraArgs | Callable[[base.Updates], base.ArrayTree]],
) -> base.GradientTransformationExtraArgs: ...
def measure_with_ema(
    measure: Callable[[base.Updates], base.ArrayTree],
    decay: ArrayLike,
    debias: bool = True,
    accumulator_dtype: Any | None = None,
) -> base.GradientTransformationExtraArgs: ...
