"""Functions and methods that take a shape, and the parameters that therefore have to be concrete. Data only."""

from typing import Final

from .concrete import jax_name

_FUNCTIONS: Final = """
    numpy.zeros: shape
    numpy.ones: shape
    numpy.empty: shape
    numpy.full: shape
    numpy.zeros_like: shape
    numpy.ones_like: shape
    numpy.empty_like: shape
    numpy.full_like: shape
    numpy.arange: start stop step
    numpy.linspace: num
    numpy.logspace: num
    numpy.geomspace: num
    numpy.eye: N M
    numpy.identity: n
    numpy.tri: N M
    numpy.indices: dimensions
    numpy.tril_indices: n m
    numpy.triu_indices: n m
    numpy.diag_indices: n
    numpy.reshape: shape
    numpy.resize: new_shape
    numpy.broadcast_to: shape
    numpy.tile: reps
    numpy.repeat: total_repeat_length
    numpy.pad: pad_width
    numpy.split: indices_or_sections
    numpy.array_split: indices_or_sections
    numpy.nonzero: size
    numpy.flatnonzero: size
    numpy.argwhere: size
    numpy.where: size
    numpy.unique: size
    numpy.bincount: length
    nn.one_hot: num_classes
    ops.segment_sum: num_segments
    ops.segment_prod: num_segments
    ops.segment_max: num_segments
    ops.segment_min: num_segments
    lax.full: shape
    lax.iota: size
    lax.broadcasted_iota: shape dimension
    lax.broadcast: sizes
    lax.broadcast_in_dim: shape broadcast_dimensions
    lax.reshape: new_sizes
    lax.slice: start_indices limit_indices strides
    lax.slice_in_dim: start_index limit_index stride
    lax.dynamic_slice: slice_sizes
    lax.dynamic_slice_in_dim: slice_size
    lax.gather: slice_sizes
    lax.expand_dims: dimensions
    lax.scan: length
    lax.top_k: k
    random.split: num
    basearray.reshape: args
"""

_RANDOM: Final = """
    ball bernoulli beta binomial bits categorical cauchy chisquare choice dirichlet double_sided_maxwell exponential f
    gamma generalized_normal geometric gumbel laplace loggamma logistic lognormal maxwell multivariate_normal normal
    orthogonal pareto poisson rademacher randint rayleigh t triangular truncated_normal uniform wald weibull_min
"""

# By the name that `jax_name` gives; the parameters by their names in the signature.
SHAPE_FUNCTIONS: Final[dict[str, frozenset[str]]] = {
    **{f"random.{name}": frozenset({"shape"}) for name in _RANDOM.split()},
    **{
        name: frozenset(parameters.split())
        for name, _, parameters in (line.strip().partition(":") for line in _FUNCTIONS.splitlines() if line.strip())
    },
}


def shape_parameters(fullname: str) -> frozenset[str]:
    """The parameters of a function or method that have to be concrete."""
    name = jax_name(fullname)
    return SHAPE_FUNCTIONS.get(name, frozenset()) if name is not None else frozenset()
