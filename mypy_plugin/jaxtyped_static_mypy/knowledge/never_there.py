"""Which names no release of JAX has had, from 0.2.9 to the one that this project knows.

Read from the packages of 38 of these releases, without importing them; `tests/cli/test_missing.py` holds them against
the JAX that is installed.
"""

from collections.abc import Mapping
from typing import Final

from .removed_names import REMOVED
from .removed_releases import Times

BEFORE: Final = Times("0.2.8", "0.2.9")  # of which nothing is known
# What these modules had once, beside the names that are known as removed: parts of JAX itself, and what they import.
ONCE_THERE: Final[Mapping[str, str]] = {
    "jax": "enable_custom_vjp_by_custom_transpose enable_key_reuse_checks jax jaxlib_extension_version",
    "jax.lax": """
        all_gather_done all_gather_invariant all_gather_start broadcast_p dtypes itertools jax make_bint naryop
        naryop_dtype_rule partial prod random_gamma_grad_p scan_bind select_p standard_abstract_eval standard_naryop
        standard_primitive standard_translate standard_unop tie_in_p unop unop_dtype_rule zeros_like_array
    """,
    "jax.nn": "typing",
    "jax.nn.initializers": "",
    "jax.numpy": "function jax numpy_version operator_name",
    "jax.numpy.fft": "",
    "jax.numpy.linalg": "",
    "jax.random": "typing",
    "jax.scipy.linalg": "typing",
    "jax.scipy.special": "",
    "jax.tree_util": """
        Any Callable Optional Sequence T Tuple Type TypeVar U collections deprecation_getattr functools no_initializer
        op overload partial pytree safe_zip traceback_util typing unzip2
    """,
}


def was_never_there(name: str) -> bool:
    """Whether no release has had a public name of a module, which the one that is installed has not, either."""
    module, _, last = name.rpartition(".")
    is_known = module in ONCE_THERE and not last.startswith("_")
    return is_known and last not in ONCE_THERE[module].split() and name not in REMOVED
