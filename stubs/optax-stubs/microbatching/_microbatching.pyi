import dataclasses
import enum
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import jax
from optax._src import base

AccumulatorTree: TypeAlias = Any
Function: TypeAlias = Callable[..., Any]
VmapFn: TypeAlias = Callable[[Function, int | Sequence[int], int], Function]
PyTreeFn: TypeAlias = Callable[[base.ArrayTree], base.ArrayTree]
UpdateFn: TypeAlias = Callable[[base.ArrayTree, base.ArrayTree, int], base.ArrayTree]

class IndividualOutputs(NamedTuple):
    values: Any
    metrics: Any
    aux: Any

ValueAndGradFn: TypeAlias = Callable[..., tuple[Any, IndividualOutputs]]

@dataclasses.dataclass(frozen=True)
class Accumulator:
    init: PyTreeFn
    update: UpdateFn
    finalize: PyTreeFn
    aggregate: PyTreeFn

def reshape_batch_axis(tree: Any, microbatch_size: int, axis: int = 0) -> Any: ...

class AccumulationType(enum.Enum):
    MEAN = ...
    SUM = ...
    RUNNING_MEAN = ...
    CONCAT = ...

def microbatch(
    fun: Function,
    argnums: int | Sequence[int],
    microbatch_size: int | None,
    accumulator: Accumulator | AccumulationType | AccumulatorTree = ...,
    *,
    argnames: str | Sequence[str] = (),
    in_axes: int | Sequence[int] = 0,
    num_real_microbatches: int | jax.Array | None = None,
) -> Function: ...
def micro_vmap(
    fun: Function,
    in_axes: int | Sequence[int] = 0,
    out_axes: Any = 0,
    *,
    microbatch_size: int | None = None,
    vmap_fn: VmapFn = ...,
    accumulator: Accumulator | AccumulationType | AccumulatorTree = ...,
    num_real_microbatches: int | jax.Array | None = None,
) -> Function: ...
def micro_grad(
    fun: Function,
    has_aux: bool = False,
    argnums: int | Sequence[int] = 0,
    *,
    batch_argnums: int | Sequence[int] = 1,
    keep_batch_dim: bool = True,
    microbatch_size: int | None = None,
    accumulator: Accumulator | AccumulationType | AccumulatorTree = ...,
    transform_fn: Callable[[base.ArrayTree], base.ArrayTree] = ...,
    metrics_fn: Callable[[base.ArrayTree], base.ArrayTree] = ...,
    num_real_microbatches: int | jax.Array | None = None,
) -> ValueAndGradFn: ...
