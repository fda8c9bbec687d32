"""The functions of Python and its standard library, a row each."""

from typing import Final

from .function_rows import (
    NEW_FUNCTION,
    SAME_FUNCTION,
    Applies,
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
_COUNTED: Final = KnownFunction(converts=Conversion.INTEGERS_AFTER)
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

# Functions of `math` that convert their arguments, to a float and to an integer; `prod` multiplies tracers.
_MATH: Final = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees dist erf erfc exp exp2 expm1 fabs floor
    fmod frexp fsum gamma hypot isclose isfinite isinf isnan ldexp lgamma log log10 log1p log2 modf nextafter pow
    radians remainder sin sinh sqrt tan tanh trunc ulp
"""
_MATH_OF_INTEGERS: Final = "comb factorial gcd isqrt lcm perm"

# Functions that ask every argument for its value, by their modules. The distributions of `random` that are left out
# compute with tracers.
_PYTHON_ONLY: Final = {
    "_random": "Random",
    "datetime": "timedelta",
    "decimal": "Decimal",
    "fractions": "Fraction",
    "random": "Random betavariate gammavariate getrandbits lognormvariate randbytes randint randrange seed",
    "statistics": """
        correlation covariance fmean geometric_mean harmonic_mean linear_regression mean median median_grouped
        median_high median_low mode multimode pstdev pvariance quantiles stdev variance
    """,
    "time": "sleep",
}
_SEARCHES: Final = "bisect bisect_left bisect_right insort insort_left insort_right"


def _effects(name: str) -> Effect:
    return Effect.NEW_VALUE if name in _NEW_VALUES.split() else Effect.NONE


# The operator that a function of `operator` stands for, by its name there.
_OPERATORS: Final = {
    "add": "+", "and_": "&", "concat": "+", "floordiv": "//", "lshift": "<<", "matmul": "@", "mod": "%", "mul": "*",
    "or_": "|", "pow": "**", "rshift": ">>", "sub": "-", "truediv": "/", "xor": "^",
}  # fmt: skip
_COMPARISONS: Final = {"eq": "==", "ge": ">=", "gt": ">", "le": "<=", "lt": "<", "ne": "!="}
_MODULES: Final = ("_operator", "operator")

# By full name, as mypy and a program have it.
OPERATORS: Final = {f"{module}.{name}": op for module in _MODULES for name, op in _OPERATORS.items()}
COMPARISONS: Final = {f"{module}.{name}": op for module in _MODULES for name, op in _COMPARISONS.items()}

# They get an attribute by its name as a text.
READING_BY_TEXT: Final = frozenset({"getattr", "hasattr"})

# By full name.
PYTHON_FUNCTIONS: Final[FunctionTable] = {
    "_operator.index": KnownFunction(converts=Conversion.NUMBER),
    "builtins.abs": KnownFunction(result=Result.TRACED),
    "builtins.all": KnownFunction(converts=Conversion.TRUTH),
    "builtins.any": KnownFunction(converts=Conversion.TRUTH),
    **dict.fromkeys(
        (f"builtins.{name}" for name in ("bin", "chr", "hex", "oct")), KnownFunction(converts=Conversion.INTEGER)
    ),
    "builtins.bool": KnownFunction(converts=Conversion.NUMBER, result=Result.CONCRETE),
    "builtins.callable": _TELLS,
    "builtins.classmethod": SAME_FUNCTION,
    "builtins.complex": KnownFunction(converts=Conversion.NUMBER),
    "builtins.dict": _PASSES_ON,
    "builtins.dict.fromkeys": KnownFunction(converts=Conversion.HASHES),
    "builtins.dir": KnownFunction(result=Result.CONCRETE, effects=Effect.TELLS_KIND),
    "builtins.divmod": KnownFunction(result=Result.TRACED),
    "builtins.enumerate": KnownFunction(
        converts=Conversion.INTEGERS_AFTER, result=Result.ITEMS_NUMBERED, effects=Effect.PASSES_ON
    ),
    "builtins.filter": KnownFunction(applies=Applies.FILTERS),
    "builtins.float": KnownFunction(converts=Conversion.NUMBER, result=Result.CONCRETE),
    "builtins.format": _CONCRETE,
    "builtins.frozenset": KnownFunction(converts=Conversion.HASHES, effects=Effect.PASSES_ON),
    "builtins.getattr": KnownFunction(effects=Effect.LOOKS | Effect.TELLS_KIND),
    "builtins.hasattr": _TELLS,
    "builtins.hash": KnownFunction(converts=Conversion.HASH, result=Result.CONCRETE),
    "builtins.id": _LOOKS,
    "builtins.int": KnownFunction(converts=Conversion.NUMBER, result=Result.CONCRETE),
    "builtins.isinstance": _TELLS,
    "builtins.issubclass": KnownFunction(result=Result.CONCRETE, effects=Effect.TELLS_KIND),
    "builtins.iter": KnownFunction(result=Result.SAME_ITEMS, effects=Effect.PASSES_ON),
    "builtins.len": _LOOKS,
    "builtins.list": KnownFunction(result=Result.SAME_ITEMS, effects=Effect.PASSES_ON),
    "builtins.map": KnownFunction(applies=Applies.MAPS),
    "builtins.max": KnownFunction(converts=Conversion.ORDER),
    "builtins.min": KnownFunction(converts=Conversion.ORDER),
    "builtins.next": _PASSES_ON,
    "builtins.pow": KnownFunction(converts=Conversion.MODULUS, result=Result.TRACED),
    "builtins.print": _LOOKS,
    "builtins.range": KnownFunction(converts=Conversion.LENGTH, result=Result.CONCRETE),
    "builtins.repr": _LOOKS,
    "builtins.reversed": KnownFunction(result=Result.ITEMS_REORDERED, effects=Effect.PASSES_ON),
    "builtins.round": KnownFunction(converts=Conversion.INTEGERS_AFTER, result=Result.TRACED),
    "builtins.set": KnownFunction(converts=Conversion.HASHES, effects=Effect.PASSES_ON),
    "builtins.sorted": KnownFunction(converts=Conversion.ORDER, effects=Effect.PASSES_ON),
    "builtins.staticmethod": KnownFunction(effects=Effect.PASSES_ON | Effect.SAME_FUNCTION),
    "builtins.str": _LOOKS,
    "builtins.sum": KnownFunction(result=Result.ITEMS_SUMMED),
    "builtins.tuple": KnownFunction(result=Result.SAME_ITEMS, effects=Effect.PASSES_ON),
    "builtins.type": _TELLS,
    "builtins.zip": KnownFunction(result=Result.ITEMS_ZIPPED, effects=Effect.PASSES_ON),
    "collections.Counter": KnownFunction(converts=Conversion.HASHES),
    "copy.replace": KnownFunction(effects=Effect.COPIES),
    "dataclasses.replace": KnownFunction(effects=Effect.PASSES_ON | Effect.COPIES),
    "enum.unique": _SAME_CLASS,
    "functools.cache": NEW_FUNCTION,
    "functools.cmp_to_key": NEW_FUNCTION,
    "functools.lru_cache": NEW_FUNCTION,
    "functools.partial": KnownFunction(new=New.PARTIAL, effects=Effect.WRAPS),
    "functools.partialmethod": NEW_FUNCTION,
    "functools.reduce": KnownFunction(applies=Applies.REDUCES),
    "functools.singledispatch": NEW_FUNCTION,
    "functools.total_ordering": _SAME_CLASS,
    "itertools.combinations": _COUNTED,
    "itertools.combinations_with_replacement": _COUNTED,
    "itertools.count": KnownFunction(effects=Effect.COUNTS),
    "itertools.islice": _COUNTED,
    "itertools.permutations": _COUNTED,
    "itertools.repeat": _COUNTED,
    "operator.attrgetter": NEW_FUNCTION,
    "operator.index": KnownFunction(converts=Conversion.NUMBER),
    "operator.itemgetter": NEW_FUNCTION,
    "operator.methodcaller": NEW_FUNCTION,
    "random.choices": KnownFunction(converts=Conversion.PYTHON_ONLY_AFTER),
    "random.sample": KnownFunction(converts=Conversion.PYTHON_ONLY_AFTER),
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
    **dict.fromkeys((f"math.{name}" for name in _MATH_OF_INTEGERS.split()), KnownFunction(converts=Conversion.INTEGER)),
    **{
        f"{module}.{name}": KnownFunction(converts=Conversion.PYTHON_ONLY, effects=_effects(f"{module}.{name}"))
        for module, names in _PYTHON_ONLY.items()
        for name in names.split()
    },
    **dict.fromkeys(
        (f"{module}.{name}" for module in ("_bisect", "bisect") for name in _SEARCHES.split()),
        KnownFunction(converts=Conversion.SEARCH),
    ),
}
