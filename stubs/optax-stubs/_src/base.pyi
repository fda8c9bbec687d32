from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

import jax
from jax.typing import ArrayLike

NO_PARAMS_MSG: str

PyTree: TypeAlias = Any
Shape: TypeAlias = Sequence[int]
PRNGKey: TypeAlias = jax.Array

# Any registered pytree is a tree of arrays, which no type says; and the states of optimisers are read by attribute.
ArrayTree: TypeAlias = Any
OptState: TypeAlias = ArrayTree
Params: TypeAlias = ArrayTree
Updates: TypeAlias = ArrayTree

# At run time both sides are `ArrayLike`. A function of arrays or of numbers alone is as good a schedule, and its
# result is mostly used as an array.
Schedule: TypeAlias = Callable[[Any], jax.Array | Any]
ScheduleState: TypeAlias = Any
ScalarOrSchedule: TypeAlias = float | jax.Array | Schedule

@runtime_checkable
class StatefulSchedule(Protocol):
    def init(self) -> ScheduleState: ...
    def update(self, state: ScheduleState, **extra_args: Any) -> ScheduleState: ...
    def __call__(self, state: ScheduleState, **extra_args: Any) -> ArrayLike: ...

class TransformInitFn(Protocol):
    def __call__(self, params: Params) -> OptState: ...

class TransformUpdateFn(Protocol):
    def __call__(self, updates: Updates, state: OptState, params: Params | None = None) -> tuple[Updates, OptState]: ...

class TransformUpdateExtraArgsFn(Protocol):
    # With `*args`, functions that require some of the extra arguments are accepted: `(..., *, value, **extra_args)`.
    def __call__(
        self, updates: Updates, state: OptState, params: Params | None = None, *args: Any, **extra_args: Any
    ) -> tuple[Updates, OptState]: ...

class GradientTransformation(NamedTuple):
    init: TransformInitFn
    update: TransformUpdateFn

class GradientTransformationExtraArgs(GradientTransformation):
    update: TransformUpdateExtraArgsFn
    def __new__(_cls, init: TransformInitFn, update: TransformUpdateExtraArgsFn) -> Self: ...

class EmptyState(NamedTuple): ...

def init_empty_state(params: Params) -> EmptyState: ...
def identity() -> GradientTransformation: ...
def set_to_zero() -> GradientTransformation: ...
def stateless(f: Callable[[Updates, Params | None], Updates]) -> GradientTransformation: ...
def stateless_with_tree_map(f: Callable[[Any, Any], ArrayLike]) -> GradientTransformation: ...
def with_extra_args_support(tx: GradientTransformation) -> GradientTransformationExtraArgs: ...
