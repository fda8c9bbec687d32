from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import jax
from jax.typing import ArrayLike, DTypeLike
from optax._src import base

ReshapeFn: TypeAlias = Callable[[jax.Array], jax.Array]

class MuonDimensionNumbers(NamedTuple):
    reduction_axis: Sequence[int] | int = ...
    output_axis: Sequence[int] | int = ...

WeightDimNumOrFn: TypeAlias = MuonDimensionNumbers | base.Params | Callable[[base.Params], base.Params | None]

def scale_by_shape(
    weight_dimension_numbers: WeightDimNumOrFn | None = None, consistent_rms: ArrayLike | None = None
) -> base.GradientTransformation: ...
def orthogonalize_via_newton_schulz(
    x: jax.Array,
    ns_coeffs: jax.Array,
    ns_steps: ArrayLike = 5,
    preconditioning: Literal["frobenius", "spectral", "aol", "schatten"] = "frobenius",
    eps: ArrayLike = 1e-08,
    dimension_numbers: MuonDimensionNumbers | None = None,
) -> jax.Array: ...

class MuonState(NamedTuple):
    count: jax.Array  # type: ignore[assignment]
    mu: base.Updates
    ns_coeffs: jax.Array

def scale_by_muon(
    ns_coeffs: tuple[ArrayLike, ArrayLike, ArrayLike] | tuple[tuple[ArrayLike, ArrayLike, ArrayLike], ...] = ...,
    ns_steps: ArrayLike = 5,
    beta: ArrayLike = 0.95,
    eps: ArrayLike = 1e-08,
    mu_dtype: DTypeLike | None = None,
    *,
    nesterov: bool = True,
    adaptive: bool = False,
    preconditioning: Literal["frobenius", "spectral", "aol", "schatten"] = "frobenius",
    weight_dimension_numbers: WeightDimNumOrFn | None = None,
) -> base.GradientTransformation: ...
def muon(
    learning_rate: base.ScalarOrSchedule,
    ns_coeffs: tuple[ArrayLike, ArrayLike, ArrayLike] | tuple[tuple[ArrayLike, ArrayLike, ArrayLike], ...] | str = ...,
    ns_steps: ArrayLike = 5,
    beta: ArrayLike = 0.95,
    eps: ArrayLike = 1e-08,
    weight_decay: ArrayLike = 0.0,
    weight_decay_mask: Any | Callable[[base.Params], Any] | None = None,
    mu_dtype: DTypeLike | None = None,
    *,
    nesterov: bool = True,
    adaptive: bool = False,
    preconditioning: Literal["frobenius", "spectral", "aol", "schatten"] = "frobenius",
    adam_b1: ArrayLike = 0.9,
    adam_b2: ArrayLike = 0.999,
    adam_eps_root: ArrayLike = 0.0,
    adam_weight_decay: ArrayLike = 0.0,
    adam_learning_rate: base.ScalarOrSchedule | None = None,
    muon_weight_dimension_numbers: WeightDimNumOrFn | None = None,
    consistent_rms: ArrayLike | None = None,
) -> base.GradientTransformation: ...
