import dataclasses
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, runtime_checkable

import jax
from optax._src import base

@dataclasses.dataclass(frozen=True)
class NamedTupleKey:
    tuple_name: str
    name: str

_KeyEntry: TypeAlias = (
    jax.tree_util.DictKey
    | jax.tree_util.FlattenedIndexKey
    | jax.tree_util.GetAttrKey
    | jax.tree_util.SequenceKey
    | NamedTupleKey
)
_KeyPath: TypeAlias = tuple[_KeyEntry, ...]

@runtime_checkable
class Initable(Protocol):
    def init(self, params: base.Params) -> base.OptState: ...

def tree_map_params(
    initable: Callable[[base.Params], base.OptState] | Initable,
    f: Callable[..., Any],
    state: base.OptState,
    /,
    *rest: Any,
    transform_non_params: Callable[..., Any] | None = None,
    is_leaf: Callable[[base.Params], bool] | None = None,
) -> base.OptState: ...
def tree_get_all_with_path(
    tree: base.PyTree, key: Any, filtering: Callable[[_KeyPath, Any], bool] | None = None
) -> list[tuple[_KeyPath, Any]]: ...
def tree_get(
    tree: base.PyTree, key: Any, default: Any | None = None, filtering: Callable[[_KeyPath, Any], bool] | None = None
) -> Any: ...
def tree_set(
    tree: base.PyTree, filtering: Callable[[_KeyPath, Any], bool] | None = None, /, **kwargs: Any
) -> base.PyTree: ...
