from collections.abc import Sequence
from typing import Any, TypeAlias

import jax
import numpy as np

ArrayNumpy: TypeAlias = np.ndarray[Any, Any]
ArrayDevice: TypeAlias = jax.Array
ArraySharded: TypeAlias = jax.Array
ArrayBatched: TypeAlias = jax.Array

# At run time also NumPy's arrays and scalars. `Any` admits them, and `x.at[0]` still needs no test of `x`.
Array: TypeAlias = jax.Array | Any

# Any registered pytree is a tree of arrays, which no type says; and it is read by attribute or by key.
ArrayTree: TypeAlias = Any
ArrayDeviceTree: TypeAlias = Any
ArrayNumpyTree: TypeAlias = Any

Scalar: TypeAlias = float | int
Numeric: TypeAlias = Array | Scalar
Shape: TypeAlias = Sequence[int | Any]
PRNGKey: TypeAlias = jax.Array
PyTreeDef: TypeAlias = jax.tree_util.PyTreeDef
Device: TypeAlias = jax.Device
ArrayDType: TypeAlias = jax.typing.DTypeLike
