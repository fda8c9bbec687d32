"""Which parameters of JAX's functions refuse lists and tuples, measured by calling each of them (JAX 0.10.2).

NumPy makes an array of a list wherever it takes one. JAX raises a `TypeError`, so that nobody makes an array of many
small ones without noticing. `jnp.array`, `jnp.stack` and their like take lists, and so do parameters for shapes.
Left out: `einsum`, which takes lists of axes between its operands.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

# The release that was measured.
MEASURED: Final = "0.10"


class ArrayParameter(NamedTuple):
    """A parameter that takes an array, and neither a list nor a tuple."""

    position: int
    name: str
    takes_rest: bool  # of the positional arguments


# By area, as in `jax_functions`: the position and the name of each such parameter, and the functions that have these.
_REFUSING: Final[Mapping[str, Mapping[str, str]]] = {
    "numpy": {
        "0.x": """
            abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh astype atan
            atanh bitwise_count bitwise_invert bitwise_not cbrt ceil cond conj conjugate cos cosh
            cumulative_prod cumulative_sum deg2rad degrees exp exp2 expm1 fabs fftshift floor frexp
            from_dlpack i0 ifftshift invert iscomplex isfinite isinf isnan isneginf isposinf isreal log
            log10 log1p log2 logical_not matrix_norm matrix_transpose modf nan_to_num norm piecewise
            positive rad2deg radians reciprocal rint sign signbit sin sinc sinh spacing sqrt square svdvals
            tan tanh trunc unique_all unique_counts unique_inverse unique_values unstack vander vector_norm
        """,
        "0.a": """
            amax amin argmax argmin argpartition argsort argwhere around array_str cholesky choose copy
            count_nonzero cumprod cumsum det eig eigh eigvals eigvalsh expand_dims fft fft2 fftn flatnonzero
            hfft ifft ifft2 ifftn inv irfft irfft2 irfftn matrix_power max median min moveaxis nanargmax
            nanargmin nancumprod nancumsum nanmax nanmedian nanmin nonzero ones_like packbits partition
            permute_dims pinv ptp qr ravel reshape resize rfft rfft2 rfftn roll rollaxis round slogdet sort
            sort_complex squeeze svd swapaxes transpose unpackbits zeros_like
        """,
        "0.x1 1.x2": """
            arctan2 atan2 bitwise_right_shift copysign divide divmod floor_divide fmax fmin fmod gcd
            heaviside hypot lcm ldexp matvec mod pow power remainder right_shift true_divide vecdot vecmat
        """,
        "0.*args": """
            add broadcast_arrays ix_ logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum
            multiply negative subtract
        """,
        "0.x 1.y": """
            bitwise_left_shift corrcoef equal float_power greater greater_equal left_shift less less_equal
            nextafter not_equal
        """,
        "0.a 1.b": "dot inner kron solve tensorsolve vdot",
        "0.m": "flip fliplr flipud rot90 tril triu",
        "0.ary": "array_split dsplit hsplit split vsplit",
        "0.a 0.x1 1.b 1.x2": "cross matmul outer tensordot",
        "0.a 1.q": "nanpercentile nanquantile percentile quantile",
        "0.a 6.where": "nanprod nansum prod sum",
        "0.ar1 1.ar2": "intersect1d setdiff1d setxor1d union1d",
        "0.arr": "array_repr diag_indices_from tril_indices_from triu_indices_from",
        "0.*arys": "atleast_1d atleast_2d atleast_3d",
        "0.a1 1.a2": "polyadd polymul polysub",
        "0.p": "polyder polyint roots",
        "0.a 0.x": "diagonal trace",
        "0.a 1.b 2.rtol 3.atol": "allclose isclose",
        "0.a 1.v": "convolve correlate",
        "0.a 4.ddof 6.where 7.mean": "nanstd nanvar",
        "0.a 4.ddof 6.where 7.mean 8.correction": "std var",
        "0.a 4.where": "all any",
        "0.a 5.where": "mean nanmean",
        "0.array": "broadcast_to pad",
        "0.start 1.stop": "geomspace linspace",
        "0.v": "diag diagflat",
        "0.val": "imag real",
        "1.d": "fftfreq rfftfreq",
        "0.*xi": "meshgrid",
        "0.A": "tile",
        "0.M": "matrix_rank",
        "0.a 1.b 2.rcond": "lstsq",
        "0.a 1.bins": "histogram_bin_edges",
        "0.a 1.bins 3.weights": "histogram",
        "0.a 1.fill_value": "full_like",
        "0.a 1.indices": "take",
        "0.a 1.repeats": "repeat",
        "0.a 1.v 3.sorter": "searchsorted",
        "0.a 2.weights": "average",
        "0.a 3.prepend 4.append": "diff",
        "0.ar": "unique",
        "0.arr 1.indices": "take_along_axis",
        "0.arr 1.obj": "delete",
        "0.arr 1.obj 2.values": "insert",
        "0.arr 1.values": "append",
        "0.ary 1.to_end 2.to_begin": "ediff1d",
        "0.buffer": "frombuffer",
        "0.condition 1.a 4.fill_value": "compress",
        "0.condition 1.arr 3.fill_value": "extract",
        "0.condition 1.x 2.y": "where",
        "0.element 1.test_elements": "isin",
        "0.f 1.*varargs": "gradient",
        "0.filt": "trim_zeros",
        "0.indices": "unravel_index",
        "0.m 1.y 5.fweights 6.aweights": "cov",
        "0.p 1.discont 3.period": "unwrap",
        "0.p 1.x": "polyval",
        "0.prototype": "empty_like",
        "0.sample 3.weights": "histogramdd",
        "0.seq_of_zeros": "poly",
        "0.start 1.stop 4.base": "logspace",
        "0.u 1.v": "polydiv",
        "0.x 1.bins": "digitize",
        "0.x 1.weights": "bincount",
        "0.x 1.xp 2.fp 3.left 4.right": "interp",
        "0.x 1.y 4.weights": "histogram2d",
        "0.x 1.y 5.w": "polyfit",
        "0.y 1.x": "trapezoid",
        "0.z": "angle",
        "1.beta": "kaiser",
        "1.fill_value": "full",
        "2.arr": "apply_along_axis",
        "2.default": "select",
    },
    "nn": {
        "0.x": """
            gelu glu hard_sigmoid hard_silu hard_tanh identity log1mexp log_sigmoid mish relu relu6 selu
            sigmoid silu soft_sign softplus sparse_plus sparse_sigmoid
        """,
        "0.x 2.where": "log_softmax logmeanexp softmax",
        "0.x 1.alpha": "celu elu",
        "0.x 1.b": "squareplus",
        "0.x 1.negative_slope": "leaky_relu",
        "0.x 2.mean 3.variance 4.epsilon 5.where": "standardize",
    },
    "ops": {
        "0.a 2.b 5.where": "logsumexp",
    },
    "lax": {
        "0.x": """
            abs acos acosh asin asinh atan atanh bessel_i0e bessel_i1e bitwise_not broadcast_to_rank cbrt
            ceil clz conj cos cosh digamma erf erf_inv erfc exp exp2 expm1 floor integer_pow is_finite
            lgamma log log1p logistic neg population_count reciprocal round rsqrt sign sin sinh sqrt square
            stage tan tanh unstack
        """,
        "0.operand": """
            approx_max_k approx_min_k argmax argmin bitcast_convert_type broadcast broadcast_in_dim collapse
            convert_element_type cumlogsumexp cummax cummin cumprod cumsum dynamic_index_in_dim
            dynamic_slice dynamic_slice_in_dim index_in_dim reduce_and reduce_max reduce_min reduce_or
            reduce_precision reduce_prod reduce_sum reduce_xor reshape rev slice slice_in_dim split tile
            top_k transpose
        """,
        "0.x 1.y": """
            add atan2 bitwise_and bitwise_or bitwise_xor complex div eq ge gt le lt max min mul mulhi ne pow
            rem shift_left shift_right_arithmetic shift_right_logical sub
        """,
        "0.a 1.x": "igamma igamma_grad_a igammac",
        "0.lhs 1.rhs": "batch_matmul dot scaled_dot",
        "0.operand 1.update": "dynamic_update_index_in_dim dynamic_update_slice dynamic_update_slice_in_dim",
        "0.a 1.b 2.x": "betainc",
        "0.arr 1.like_arr": "broadcast_like",
        "0.array": "expand_dims",
        "0.keys 1.values": "sort_key_val",
        "0.lhs 1.rhs 2.group_sizes": "ragged_dot",
        "0.m 1.x": "polygamma",
        "0.min 1.x 2.max": "clamp",
        "0.which 1.*cases": "select_n",
        "0.x 1.q": "zeta",
        "0.x1 1.x2": "nextafter",
    },
    "random": {
        "1.a": "gamma loggamma",
        "1.df": "chisquare t",
        "1.n 2.p": "binomial multinomial",
        "1.p": "bernoulli geometric",
        "1.a 2.b": "beta",
        "1.a 4.p": "choice",
        "1.alpha": "dirichlet",
        "1.b": "pareto",
        "1.dfnum 2.dfden": "f",
        "1.lam": "poisson",
        "1.left 2.mode 3.right": "triangular",
        "1.loc 2.scale": "double_sided_maxwell",
        "1.logits": "categorical",
        "1.lower 2.upper": "truncated_normal",
        "1.mean": "wald",
        "1.mean 2.cov": "multivariate_normal",
        "1.scale": "rayleigh",
        "1.scale 2.concentration": "weibull_min",
        "1.sigma": "lognormal",
        "1.x": "permutation",
        "2.p": "ball",
        "3.minval 4.maxval": "uniform",
    },
    "scipy": {
        "0.x": """
            dawsn digamma entr erf erfc erfcx erfinv exp1 expi expit gamma gammaln gammasgn i0 i0e i1 i1e
            log_softmax loggamma logit sici softmax
        """,
        "0.a": "companion convolution_matrix det fiedler fiedler_companion hessenberg inv multigammaln schur",
        "0.in1 1.in2": "convolve convolve2d correlate correlate2d fftconvolve",
        "0.a 1.b": "beta betaln solve",
        "0.A": "expm sqrtm",
        "0.a 1.x": "gammainc gammaincc",
        "0.c 1.r": "hankel toeplitz",
        "0.p 1.q": "kl_div rel_entr",
        "0.x 1.fs": "stft welch",
        "0.x 1.lmbda": "boxcox boxcox1p",
        "0.x 1.y": "xlog1py xlogy",
        "0.*arrs": "block_diag",
        "0.N 1.k": "comb",
        "0.Zxx 1.fs": "istft",
        "0.a 1.b 2.x": "betainc",
        "0.c": "circulant",
        "0.f 1.s": "leslie",
        "0.h 1.a": "owens_t",
        "0.n": "factorial",
        "0.n 1.x": "polygamma",
        "0.p": "ndtri",
        "0.x 1.y 2.fs": "csd",
        "0.z": "wofz",
        "0.z 1.m": "poch",
        "4.tol": "solve_sylvester",
    },
}


def _read(text: str) -> tuple[ArrayParameter, ...]:
    parts = (part.partition(".") for part in text.split())
    return tuple(ArrayParameter(int(position), name.strip("*"), "*" in name) for position, _, name in parts)


ARRAY_PARAMETERS: Final[Mapping[str, tuple[ArrayParameter, ...]]] = {
    f"{area}.{name}": _read(text)
    for area, groups in _REFUSING.items()
    for text, names in groups.items()
    for name in names.split()
}


def array_parameters(name: str) -> tuple[ArrayParameter, ...]:
    """Those of a function of JAX by its area and name; none if it has no row."""
    return ARRAY_PARAMETERS.get(name, ())
