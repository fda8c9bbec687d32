from typing import TypeVar

from jax.typing import DTypeLike
from optax._src import base

T = TypeVar("T")

def tree_cast_like(tree: T, other_tree: base.ArrayTree) -> T: ...
def tree_cast(tree: base.ArrayTree, dtype: DTypeLike | None) -> base.ArrayTree: ...
def tree_dtype(tree: base.ArrayTree, mixed_dtype_handler: str | None = None) -> DTypeLike: ...
