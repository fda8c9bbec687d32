"""What a tracer of `jax.grad` outside of any program comes through: these return another one, in JAX 0.10.2.

What has no derivative returns an array: a comparison, `argmax`, `floor`, `stop_gradient`, and `astype(int)`.
"""

from typing import Final

# By name alone: functions of `jax.numpy` and `jax.nn` and methods of arrays.
_NAMES: Final = """
    abs absolute add amax amin arccos arccosh arcsin arcsinh arctan arctan2 arctanh array asarray average
    broadcast_to cbrt clip concatenate cos cosh cross cumprod cumsum deg2rad diag diagonal divide dot einsum elu
    exp exp2 expand_dims expm1 flatten flip gelu hstack hypot inner kron log log10 log1p log2 log_sigmoid
    log_softmax logaddexp logsumexp matmul max maximum mean min minimum moveaxis multiply negative norm outer pad
    power prod ravel reciprocal relu reshape roll sigmoid silu sin sinh softmax softplus sqrt square squeeze stack
    std subtract sum swapaxes swish take tan tanh tensordot tile trace transpose true_divide var vdot vstack where
"""
DIFFERENTIABLE: Final = frozenset(_NAMES.split())
# Operators whose result has no derivative.
WITHOUT_DERIVATIVE: Final = frozenset({"//", "&", "|", "^", "<<", ">>"})
# Functions whose result has none, so that it is no tracer there (found out by running them).
_WITHOUT: Final = """
    all any argmax argmin argsort categorical ceil count_nonzero equal floor floor_divide greater greater_equal isfinite
    isinf isnan less less_equal logical_and logical_not logical_or not_equal one_hot ones_like rint round searchsorted
    sign signbit stop_gradient trunc zeros_like
"""
FUNCTIONS_WITHOUT_DERIVATIVE: Final = frozenset(_WITHOUT.split())
