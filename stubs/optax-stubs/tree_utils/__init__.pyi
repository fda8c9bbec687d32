from typing import Any

import jax
from optax.tree_utils._casting import tree_cast as tree_cast
from optax.tree_utils._casting import tree_cast_like as tree_cast_like
from optax.tree_utils._casting import tree_dtype as tree_dtype
from optax.tree_utils._random import tree_random_like as tree_random_like
from optax.tree_utils._random import tree_split_key_like as tree_split_key_like
from optax.tree_utils._random import tree_unwrap_random_key_data as tree_unwrap_random_key_data
from optax.tree_utils._state_utils import NamedTupleKey as NamedTupleKey
from optax.tree_utils._state_utils import tree_get as tree_get
from optax.tree_utils._state_utils import tree_get_all_with_path as tree_get_all_with_path
from optax.tree_utils._state_utils import tree_map_params as tree_map_params
from optax.tree_utils._state_utils import tree_set as tree_set
from optax.tree_utils._tree_math import tree_add as tree_add
from optax.tree_utils._tree_math import tree_add_scale as tree_add_scale
from optax.tree_utils._tree_math import tree_allclose as tree_allclose
from optax.tree_utils._tree_math import tree_batch_shape as tree_batch_shape
from optax.tree_utils._tree_math import tree_bias_correction as tree_bias_correction
from optax.tree_utils._tree_math import tree_clip as tree_clip
from optax.tree_utils._tree_math import tree_conj as tree_conj
from optax.tree_utils._tree_math import tree_div as tree_div
from optax.tree_utils._tree_math import tree_full_like as tree_full_like
from optax.tree_utils._tree_math import tree_max as tree_max
from optax.tree_utils._tree_math import tree_min as tree_min
from optax.tree_utils._tree_math import tree_mul as tree_mul
from optax.tree_utils._tree_math import tree_norm as tree_norm
from optax.tree_utils._tree_math import tree_ones_like as tree_ones_like
from optax.tree_utils._tree_math import tree_real as tree_real
from optax.tree_utils._tree_math import tree_scale as tree_scale
from optax.tree_utils._tree_math import tree_size as tree_size
from optax.tree_utils._tree_math import tree_sub as tree_sub
from optax.tree_utils._tree_math import tree_sum as tree_sum
from optax.tree_utils._tree_math import tree_update_infinity_moment as tree_update_infinity_moment
from optax.tree_utils._tree_math import tree_update_moment as tree_update_moment
from optax.tree_utils._tree_math import tree_update_moment_per_elem_norm as tree_update_moment_per_elem_norm
from optax.tree_utils._tree_math import tree_vdot as tree_vdot
from optax.tree_utils._tree_math import tree_where as tree_where
from optax.tree_utils._tree_math import tree_zeros_like as tree_zeros_like

tree_scalar_mul = tree_scale
tree_add_scalar_mul = tree_add_scale

def tree_l1_norm(tree: Any, *, ord: int | str | float | None = 1, squared: bool = False) -> jax.Array: ...

tree_l2_norm = tree_norm

def tree_linf_norm(tree: Any, *, ord: int | str | float | None = "inf", squared: bool = False) -> jax.Array: ...
