from collections.abc import Callable, Sequence
from typing import Any, TypeVar

T = TypeVar("T", bound=type[Any])

def register_dataclass(
    nodetype: T,
    data_fields: Sequence[str] | None = None,
    meta_fields: Sequence[str] | None = None,
    drop_fields: Sequence[str] = (),
) -> T: ...
def register_pytree_node(
    nodetype: type[Any],
    flatten_func: Callable[[Any], tuple[Any, Any]],
    unflatten_func: Callable[[Any, Any], Any],
    flatten_with_keys_func: Any = None,
) -> None: ...
def register_pytree_node_class(cls: T) -> T: ...
def register_static(cls: T) -> T: ...
