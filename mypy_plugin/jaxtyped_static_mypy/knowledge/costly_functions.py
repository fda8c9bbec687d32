"""JAX's functions that are compiled for each shape of their arguments outside of jit, too, at a cost.

Every function of `jax.numpy` is. But a sum or a sine hardly takes longer to compile than the slice that it gets does by
itself; measured with JAX 0.10.2 on a CPU, these take 2 to 15 times as long, and several thousand times as long as a
call for a shape that they have seen. `tests/plugin/test_costly_functions.py` calls each for new shapes.
"""

from typing import Final

from .jax_functions import jax_name

_OF_LINALG: Final = """
    cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_rank pinv qr slogdet solve svd svdvals
"""
_OF_SCIPY: Final = """
    cho_factor cholesky det eigh expm inv lu lu_factor polar qr schur solve solve_triangular sqrtm svd
"""
COSTLY_FUNCTIONS: Final = frozenset(
    {
        *(f"numpy.{name}" for name in _OF_LINALG.split()),
        *(f"scipy.{name}" for name in _OF_SCIPY.split()),
    }
)


def is_costly(fullname: str) -> bool:
    """Whether a function, by its full name, compiles for each new shape, and takes its time."""
    return jax_name(fullname) in COSTLY_FUNCTIONS
