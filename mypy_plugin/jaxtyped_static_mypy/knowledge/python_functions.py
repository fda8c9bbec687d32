"""The functions of Python, its standard library and NumPy, a row each."""

from typing import Final

from .function_rows import (
    NEW_FUNCTION,
    SAME_FUNCTION,
    Conversion,
    Effect,
    FunctionTable,
    KnownFunction,
    New,
    Result,
)

_SAME_CLASS: Final = KnownFunction(effects=Effect.SAME_CLASS)
_CONCRETE: Final = KnownFunction(result=Result.CONCRETE)
_TELLS: Final = KnownFunction(result=Result.CONCRETE, effects=Effect.LOOKS | Effect.TELLS_KIND)
_LOOKS: Final = KnownFunction(result=Result.CONCRETE, effects=Effect.LOOKS)
_PASSES_ON: Final = KnownFunction(effects=Effect.PASSES_ON)

_NEW_OBJECTS: Final = """
    builtins.open io.open os.fdopen tempfile.NamedTemporaryFile tempfile.SpooledTemporaryFile tempfile.TemporaryFile
"""
_NEW_VALUES: Final = """
    datetime.datetime.now datetime.datetime.utcnow os.urandom random.betavariate random.expovariate random.gauss
    random.getrandbits random.lognormvariate random.normalvariate random.randbytes random.random random.triangular
    random.uniform secrets.token_bytes secrets.token_hex secrets.token_urlsafe tempfile.mkdtemp time.monotonic
    time.monotonic_ns time.perf_counter time.perf_counter_ns time.process_time time.process_time_ns time.time
    time.time_ns uuid.uuid1 uuid.uuid4
"""

# Functions of `math` that convert their arguments.
_MATH: Final = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees erf erfc exp exp2 expm1 fabs floor fmod
    gamma hypot isclose isfinite isinf isnan ldexp lgamma log log10 log1p log2 pow radians sin sinh sqrt tan tanh trunc
"""

# By full name.
PYTHON_FUNCTIONS: Final[FunctionTable] = {
    "_operator.index": KnownFunction(converts=Conversion.NUMBER),
    "builtins.abs": KnownFunction(result=Result.TRACED),
    "builtins.all": KnownFunction(converts=Conversion.TRUTH),
    "builtins.any": KnownFunction(converts=Conversion.TRUTH),
    "builtins.bool": KnownFunction(converts=Conversion.NUMBER, result=Result.CONCRETE),
    "builtins.callable": _TELLS,
    "builtins.classmethod": SAME_FUNCTION,
    "builtins.complex": KnownFunction(converts=Conversion.NUMBER),
    "builtins.dict": _PASSES_ON,
    "builtins.dir": KnownFunction(result=Result.CONCRETE, effects=Effect.TELLS_KIND),
    "builtins.divmod": KnownFunction(result=Result.TRACED),
    "builtins.enumerate": KnownFunction(result=Result.ITEMS_NUMBERED, effects=Effect.PASSES_ON),
    "builtins.float": KnownFunction(converts=Conversion.NUMBER, result=Result.CONCRETE),
    "builtins.format": _CONCRETE,
    "builtins.frozenset": _PASSES_ON,
    "builtins.getattr": KnownFunction(effects=Effect.LOOKS | Effect.TELLS_KIND),
    "builtins.hasattr": _TELLS,
    "builtins.hash": _CONCRETE,
    "builtins.id": _LOOKS,
    "builtins.int": KnownFunction(converts=Conversion.NUMBER, result=Result.CONCRETE),
    "builtins.isinstance": _TELLS,
    "builtins.issubclass": KnownFunction(result=Result.CONCRETE, effects=Effect.TELLS_KIND),
    "builtins.iter": KnownFunction(result=Result.SAME_ITEMS, effects=Effect.PASSES_ON),
    "builtins.len": _LOOKS,
    "builtins.list": KnownFunction(result=Result.SAME_ITEMS, effects=Effect.PASSES_ON),
    "builtins.max": KnownFunction(converts=Conversion.ORDER),
    "builtins.min": KnownFunction(converts=Conversion.ORDER),
    "builtins.next": _PASSES_ON,
    "builtins.pow": KnownFunction(result=Result.TRACED),
    "builtins.print": _LOOKS,
    "builtins.range": KnownFunction(converts=Conversion.LENGTH, result=Result.CONCRETE),
    "builtins.repr": _LOOKS,
    "builtins.reversed": KnownFunction(result=Result.ITEMS_REORDERED, effects=Effect.PASSES_ON),
    "builtins.round": KnownFunction(result=Result.TRACED),
    "builtins.set": _PASSES_ON,
    "builtins.sorted": KnownFunction(converts=Conversion.ORDER, effects=Effect.PASSES_ON),
    "builtins.staticmethod": KnownFunction(effects=Effect.PASSES_ON | Effect.SAME_FUNCTION),
    "builtins.str": _LOOKS,
    "builtins.sum": KnownFunction(result=Result.ITEMS_SUMMED),
    "builtins.tuple": KnownFunction(result=Result.SAME_ITEMS, effects=Effect.PASSES_ON),
    "builtins.type": _TELLS,
    "builtins.zip": KnownFunction(result=Result.ITEMS_ZIPPED, effects=Effect.PASSES_ON),
    "copy.replace": KnownFunction(effects=Effect.COPIES),
    "dataclasses.replace": KnownFunction(effects=Effect.PASSES_ON | Effect.COPIES),
    "enum.unique": _SAME_CLASS,
    "functools.cache": NEW_FUNCTION,
    "functools.cmp_to_key": NEW_FUNCTION,
    "functools.lru_cache": NEW_FUNCTION,
    "functools.partial": KnownFunction(new=New.PARTIAL, effects=Effect.WRAPS),
    "functools.partialmethod": NEW_FUNCTION,
    "functools.singledispatch": NEW_FUNCTION,
    "functools.total_ordering": _SAME_CLASS,
    "itertools.count": KnownFunction(effects=Effect.COUNTS),
    "operator.attrgetter": NEW_FUNCTION,
    "operator.index": KnownFunction(converts=Conversion.NUMBER),
    "operator.itemgetter": NEW_FUNCTION,
    "operator.methodcaller": NEW_FUNCTION,
    "types.FunctionType": NEW_FUNCTION,
    "types.MethodType": NEW_FUNCTION,
    "typing.cast": _PASSES_ON,
    "typing.dataclass_transform": _SAME_CLASS,
    "typing.final": KnownFunction(effects=Effect.SAME_FUNCTION | Effect.SAME_CLASS),
    "typing.no_type_check": SAME_FUNCTION,
    "typing.override": SAME_FUNCTION,
    "typing.runtime_checkable": _SAME_CLASS,
    "typing_extensions.cast": _PASSES_ON,
    "typing_extensions.dataclass_transform": _SAME_CLASS,
    "typing_extensions.deprecated": KnownFunction(effects=Effect.SAME_FUNCTION | Effect.SAME_CLASS),
    "typing_extensions.final": KnownFunction(effects=Effect.SAME_FUNCTION | Effect.SAME_CLASS),
    "typing_extensions.override": SAME_FUNCTION,
    "typing_extensions.runtime_checkable": _SAME_CLASS,
    "warnings.deprecated": KnownFunction(effects=Effect.SAME_FUNCTION | Effect.SAME_CLASS),
    **dict.fromkeys(_NEW_OBJECTS.split(), KnownFunction(effects=Effect.NEW_OBJECT)),
    **dict.fromkeys(_NEW_VALUES.split(), KnownFunction(effects=Effect.NEW_VALUE)),
    **dict.fromkeys((f"math.{name}" for name in _MATH.split()), KnownFunction(converts=Conversion.FLOAT)),
}

# Functions of NumPy that convert their arguments. Others, as `sum`, call a method of the array, and work.
_CONVERTING: Final = """
    abs absolute acos acosh add allclose angle append arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh
    argwhere array array_repr array_str asanyarray asarray ascontiguousarray asin asinh atan atan2 atanh atleast_1d
    atleast_2d atleast_3d average block broadcast_arrays broadcast_to cbrt ceil clip column_stack concat concatenate
    conj conjugate copy copysign corrcoef cos cosh count_nonzero cov cross deg2rad degrees diag diagflat diagonal diff
    divide divmod dot dstack ediff1d einsum empty_like equal exp exp2 expand_dims expm1 extract fabs flatnonzero fliplr
    flipud float32 float64 float_power floor floor_divide fmax fmin fmod frexp full_like geomspace gradient greater
    greater_equal heaviside histogram histogram_bin_edges histogramdd hstack hypot i0 inner int32 int64 interp
    intersect1d isclose iscomplex isfinite isin isinf isnan isneginf isposinf kron less less_equal lexsort linspace log
    log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logspace matmul
    matrix_transpose matvec maximum median meshgrid minimum mod modf multiply nan_to_num nanargmax nanargmin nancumprod
    nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar negative nextafter
    nonzero not_equal ones_like outer pad percentile piecewise poly polyadd polysub polyval positive pow power ptp
    quantile rad2deg radians ravel reciprocal remainder rint rot90 setdiff1d setxor1d sign signbit sin sinc sinh sort
    sort_complex spacing sqrt square stack subtract tan tanh tensordot tile trace trapezoid tril trim_zeros triu
    true_divide trunc union1d unique unique_all unique_counts unique_inverse unique_values unwrap vdot vecdot vecmat
    vstack where zeros_like
"""

# By the last part of the name: the private modules that define them differ between releases.
NUMPY_FUNCTIONS: Final[FunctionTable] = {
    "frompyfunc": NEW_FUNCTION,
    "isscalar": KnownFunction(result=Result.CONCRETE, effects=Effect.TELLS_KIND),
    "vectorize": NEW_FUNCTION,
    "RandomState": KnownFunction(effects=Effect.NEW_OBJECT),
    "SeedSequence": KnownFunction(effects=Effect.NEW_OBJECT),
    "default_rng": KnownFunction(effects=Effect.NEW_OBJECT),
    "rand": KnownFunction(effects=Effect.NEW_VALUE),
    "randn": KnownFunction(effects=Effect.NEW_VALUE),
    **dict.fromkeys(_CONVERTING.split(), KnownFunction(converts=Conversion.HOST_ARRAY)),
}
