"""What the functions of NumPy do with a tracer, measured by calling each of them (NumPy 2.4.6, JAX 0.10.2).

Most raise: they convert every argument to an array. Others read the shape or the type of an argument, or call a method
of it, and work. By the name of the area, `np.linalg` and its like, and of the function: the private modules that define
them differ between releases.
"""

from collections.abc import Mapping
from typing import Final

from .function_rows import NEW_FUNCTION, NO_ROW, Conversion, Effect, FunctionTable, KnownFunction, Result, accepted

# The releases that were measured.
MEASURED: Final = {"numpy": "2.4", "jax": "0.10"}

# Functions that `jax.numpy` has, too; with the methods of ufuncs (`np.add.reduce`).
_WITH_COUNTERPART: Final = {
    "": """
        abs absolute accumulate acos acosh add all allclose amax amin angle any append apply_along_axis
        apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argpartition
        argsort argwhere around array array_split asarray asin asinh astype at atan
        atan2 atanh atleast_1d atleast_2d atleast_3d average bartlett bincount bitwise_and bitwise_count
        bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor blackman block
        bool bool_ broadcast_arrays broadcast_shapes broadcast_to cbrt cdouble ceil choose clip column_stack
        complex128 complex64 compress concat concatenate conj conjugate convolve copy copysign corrcoef
        correlate cos cosh count_nonzero cov cross csingle cumprod cumsum cumulative_prod cumulative_sum deg2rad
        degrees delete diag diag_indices diag_indices_from diagflat diagonal diff digitize divide divmod dot
        double dsplit dstack ediff1d einsum einsum_path empty empty_like equal exp exp2 expand_dims expm1
        extract eye fabs flatnonzero flip fliplr flipud float16 float32 float64 float_power floor floor_divide
        fmax fmin fmod frexp fromiter full full_like gcd geomspace gradient greater greater_equal hamming
        hanning heaviside histogram histogram2d histogram_bin_edges histogramdd hsplit hstack hypot i0 identity
        imag indices inner insert int16 int32 int64 int8 int_ interp intersect1d invert isclose iscomplex
        iscomplexobj isfinite isin isinf isnan isneginf isposinf isreal isrealobj issubdtype ix_ kaiser
        kron lcm ldexp left_shift less less_equal lexsort linspace log log10 log1p log2 logaddexp logaddexp2
        logical_and logical_not logical_or logical_xor logspace mask_indices matmul matrix_transpose matvec max
        maximum mean median meshgrid min minimum mod modf moveaxis multiply nan_to_num nanargmax nanargmin
        nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum
        nanvar ndim negative nextafter nonzero not_equal ones ones_like outer packbits pad partition percentile
        permute_dims piecewise poly polyadd polyder polydiv polyfit polyint polymul polysub polyval positive pow
        power prod promote_types ptp quantile rad2deg radians ravel ravel_multi_index real reciprocal reduce
        reduceat remainder repeat reshape resize result_type right_shift rint roll rollaxis roots rot90 round
        searchsorted select setdiff1d setxor1d shape sign signbit sin sinc single sinh size sort sort_complex
        spacing split sqrt square squeeze stack std subtract sum swapaxes take take_along_axis tan tanh
        tensordot tile trace transpose trapezoid tri tril tril_indices tril_indices_from trim_zeros triu
        triu_indices triu_indices_from true_divide trunc uint uint16 uint32 uint64 uint8 union1d unique
        unique_all unique_counts unique_inverse unique_values unpackbits unravel_index unstack unwrap vander var
        vdot vecdot vecmat vsplit vstack where zeros zeros_like
    """,
    "fft": """
        fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2
        rfftfreq rfftn
    """,
    "linalg": """
        cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm matrix_power
        matrix_rank matrix_transpose multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv
        tensorsolve trace vecdot vector_norm
    """,
}
# Functions that it has not, or that change an argument in place.
_WITHOUT_COUNTERPART: Final = {
    "": """
        array2string array_repr array_str asanyarray asarray_chkfinite ascontiguousarray asfortranarray asmatrix
        binary_repr bmat broadcast byte can_cast clongdouble common_type complex256 copyto fill_diagonal fix
        float128 format_float_positional format_float_scientific half intc intp isfortran isnat iterable long
        longdouble longlong matrix may_share_memory min_scalar_type place poly1d put put_along_axis putmask
        real_if_close row_stack save savetxt savez savez_compressed shares_memory short ubyte uintc uintp ulong
        ulonglong ushort
    """,
    "random": """
        beta binomial chisquare choice default_rng dirichlet exponential f gamma geometric gumbel hypergeometric
        laplace logistic lognormal logseries multinomial multivariate_normal negative_binomial
        noncentral_chisquare noncentral_f normal pareto permutation poisson power rand randint randn random
        random_integers random_sample rayleigh seed shuffle standard_cauchy standard_exponential standard_gamma
        standard_normal standard_t triangular uniform vonmises wald weibull zipf
    """,
    "Generator": """
        beta binomial chisquare choice dirichlet exponential f gamma geometric gumbel hypergeometric integers
        laplace logistic lognormal logseries multinomial multivariate_hypergeometric multivariate_normal
        negative_binomial noncentral_chisquare noncentral_f normal pareto permutation permuted poisson power
        random rayleigh shuffle spawn standard_cauchy standard_exponential standard_gamma standard_normal
        standard_t triangular uniform vonmises wald weibull zipf
    """,
    "RandomState": """
        beta binomial chisquare choice dirichlet exponential f gamma geometric gumbel hypergeometric laplace
        logistic lognormal logseries multinomial multivariate_normal negative_binomial noncentral_chisquare
        noncentral_f normal pareto permutation poisson power rand randint randn random random_integers
        random_sample rayleigh seed shuffle standard_cauchy standard_exponential standard_gamma
        standard_normal standard_t tomaxint triangular uniform vonmises wald weibull zipf
    """,
    "testing": """
        assert_ assert_allclose assert_almost_equal assert_approx_equal assert_array_almost_equal
        assert_array_almost_equal_nulp assert_array_equal assert_array_less assert_array_max_ulp assert_equal
    """,
}
# Those of the modules of `np.polynomial`, which all have names of their own.
_POLYNOMIALS: Final = """
    cheb2poly chebadd chebcompanion chebder chebdiv chebfit chebfromroots chebgauss chebint chebline chebmul
    chebmulx chebpow chebpts1 chebpts2 chebroots chebsub chebtrim chebval2d chebval3d chebvander chebvander3d
    chebweight herm2poly hermadd hermcompanion hermder hermdiv herme2poly hermeadd hermecompanion hermeder
    hermediv hermefit hermefromroots hermegauss hermeint hermeline hermemul hermemulx hermepow hermeroots
    hermesub hermetrim hermeval2d hermeval3d hermevander hermevander3d hermeweight hermfit hermfromroots
    hermgauss hermint hermline hermmul hermmulx hermpow hermroots hermsub hermtrim hermval2d hermval3d
    hermvander hermvander3d hermweight lag2poly lagadd lagcompanion lagder lagdiv lagfit lagfromroots laggauss
    lagint lagline lagmul lagmulx lagpow lagroots lagsub lagtrim lagval2d lagval3d lagvander lagvander3d
    lagweight leg2poly legadd legcompanion legder legdiv legfit legfromroots leggauss legint legline legmul
    legmulx legpow legroots legsub legtrim legval2d legval3d legvander legvander3d poly2cheb poly2herm
    poly2herme poly2lag poly2leg polyadd polycompanion polyder polydiv polyfit polyfromroots polyint polyline
    polymul polymulx polypow polyroots polysub polytrim polyval2d polyval3d polyvander polyvander3d
"""
POLYNOMIALS: Final = frozenset(_POLYNOMIALS.split())

# What they take although it is traced, by the position and the name of the parameter: `[]` is a list of tracers, and
# after `>` the result is a tracer. All other arguments raise.
_ACCEPTED: Final[Mapping[str, str]] = {
    "all": "0.a>",
    "amax": "0.a>",
    "amin": "0.a>",
    "angle": "1.deg[]",
    "any": "0.a>",
    "argmax": "0.a>",
    "argmin": "0.a>",
    "around": "0.a>",
    "array_split": "0.ary>",
    "bmat": "0.obj",
    "can_cast": "0.from_ 1.to",
    "common_type": "0.*arrays",
    "cumprod": "0.a>",
    "cumsum": "0.a>",
    "diag_indices_from": "0.arr",
    "dsplit": "0.ary>",
    "flip": "0.m>",
    "hsplit": "0.ary>",
    "imag": "0.val>",
    "iscomplexobj": "0.x",
    "isreal": "0.x>",
    "isrealobj": "0.x",
    "issubdtype": "0.arg1 1.arg2",
    "iterable": "0.y 0.y[]",
    "max": "0.a>",
    "mean": "0.a>",
    "min": "0.a>",
    "moveaxis": "0.a>",
    "ndim": "0.a",
    "permute_dims": "0.a>",
    "piecewise": "3.*args 3.*args[]",
    "poly1d": "1.r[]",
    "prod": "0.a>",
    "promote_types": "0.type1 1.type2",
    "real": "0.val>",
    "real_if_close": "1.tol 1.tol[]",
    "repeat": "0.a>",
    "reshape": "0.a>",
    "result_type": "0.*arrays_and_dtypes",
    "rollaxis": "0.a>",
    "round": "0.a>",
    "searchsorted": "0.a>",
    "shape": "0.a",
    "size": "0.a",
    "split": "0.ary>",
    "squeeze": "0.a>",
    "std": "0.a>",
    "sum": "0.a>",
    "swapaxes": "0.a>",
    "take_along_axis": "0.arr>",
    "transpose": "0.a>",
    "trapezoid": "2.dx>",
    "tril_indices_from": "0.arr",
    "triu_indices_from": "0.arr",
    "unstack": "0.x>",
    "var": "0.a>",
    "vsplit": "0.ary>",
    "fft.fftfreq": "1.d>",
    "fft.hfft": "4.out 4.out[]",
    "fft.ifft2": "4.out 4.out[]",
    "fft.irfft2": "4.out 4.out[]",
    "fft.rfftfreq": "1.d>",
    "Generator.shuffle": "0.x[]",
    "RandomState.shuffle": "0.x[]",
    "random.shuffle": "0.x[]",
    "testing.assert_": "0.val[]",
    "testing.assert_approx_equal": "2.significant 2.significant[]",
}
# Parameters for types, flags and text, of which nothing is said.
_OPTIONS: Final = """
    allow_pickle assume_unique bias cast comments compute_uv copy cov density dtype edgeitems einsum_call endpoint
    equal_nan err_msg full full_matrices gdict hermitian include_initial increasing invert keepdims ldict legacy
    like max_line_width method msg overwrite_input prefix replace retstep return_counts return_index return_indices
    return_inverse returned right rowvar shuffle sorted sparse stable strict subok suffix suppress_small threshold upper
    variable verbose wrap
"""
OPTIONS: Final = frozenset(_OPTIONS.split())
# They catch what a tracer raises, and answer that it is not equal.
_UNEQUAL: Final = ("array_equal", "array_equiv")
# Modules with functions of the same names, which nobody has measured.
_POLYNOMIAL: Final = "polynomial"
_OTHER_AREAS: Final = frozenset({"char", "ctypeslib", "ma", "matlib", _POLYNOMIAL, "rec", "strings", "typing"})
_OF_POLYNOMIALS: Final = KnownFunction(converts=Conversion.HOST_ONLY)
# The classes whose methods draw random numbers, by what makes their objects.
GENERATORS: Final = {"Generator": "Generator", "RandomState": "RandomState", "default_rng": "Generator"}
# Those of their methods that return what they draw.
_DRAWING: Final = f"{_WITHOUT_COUNTERPART['Generator']} {_WITHOUT_COUNTERPART['RandomState']}"
DRAWING_METHODS: Final = frozenset(_DRAWING.split()) - {"seed", "shuffle", "spawn"}
_AREAS: Final = frozenset(_WITH_COUNTERPART) | frozenset(_WITHOUT_COUNTERPART)


# Those of `random` that draw from a continuum: the number is another one each time. Integers repeat.
_CONTINUOUS: Final = """
    beta chisquare exponential f gamma gumbel laplace logistic lognormal noncentral_chisquare noncentral_f normal pareto
    power rand randn random random_sample rayleigh standard_cauchy standard_exponential standard_gamma standard_normal
    standard_t triangular uniform vonmises wald weibull
"""
_EFFECTS: Final = {
    **{
        f"{area}.{name}": Effect.NEW_VALUE
        for area in ("random", "Generator", "RandomState")
        for name in _CONTINUOUS.split()
    },
    "random.default_rng": Effect.NEW_OBJECT,
}
_NEW_OBJECTS: Final = ("random.RandomState", "random.SeedSequence")


def _rows(areas: Mapping[str, str], asks: Conversion) -> FunctionTable:
    names = (f"{area}.{name}" if area else name for area, text in areas.items() for name in text.split())
    return {name: _row(name, asks) for name in names}


def _row(name: str, asks: Conversion) -> KnownFunction:
    effects = _EFFECTS.get(name, NO_ROW.effects)
    return KnownFunction(effects=effects, converts=asks, accepts=accepted(_ACCEPTED.get(name, "")))


# By area and name.
NUMPY_FUNCTIONS: Final[FunctionTable] = {
    "frompyfunc": NEW_FUNCTION,
    "vectorize": NEW_FUNCTION,
    **_rows(_WITH_COUNTERPART, Conversion.HOST_ARRAY),
    **_rows(_WITHOUT_COUNTERPART, Conversion.HOST_ONLY),
    **dict.fromkeys(_UNEQUAL, KnownFunction(converts=Conversion.NEVER_EQUAL)),
    "isscalar": KnownFunction(result=Result.CONCRETE, effects=Effect.TELLS_KIND),
    **dict.fromkeys(_NEW_OBJECTS, KnownFunction(effects=Effect.NEW_OBJECT)),
}


def numpy_function(fullname: str) -> KnownFunction:
    """The row of a function of NumPy by its full name; an empty one if it has none."""
    _, _, rest = fullname.partition(".")
    (area, *_), name = rest.split("."), rest.rpartition(".")[2]
    if area in _OTHER_AREAS:
        return _OF_POLYNOMIALS if area == _POLYNOMIAL and name in POLYNOMIALS else NO_ROW
    owner = rest.rpartition(".")[0].rpartition(".")[2]
    area = owner if owner in GENERATORS else area
    return NUMPY_FUNCTIONS.get(f"{area}.{name}" if area in _AREAS else name, NO_ROW)
