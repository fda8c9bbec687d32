"""Attributes and methods that are known by their names alone: those of arrays and of containers."""

from typing import Final

from .function_rows import SizedBy

_ARRAY_METHODS: Final = """
    abs all any argmax argmin argpartition argsort astype choose clip compress conj conjugate copy cumprod cumsum
    diagonal dot flatten get max mean min nonzero prod ptp ravel repeat reshape round searchsorted sort squeeze std sum
    swapaxes take trace transpose var view add apply divide mul multiply power set subtract
"""
_CONCRETE_ATTRIBUTES: Final = """
    __class__ __doc__ __module__ __name__ aval dtype itemsize name nbytes ndim shape sharding size weak_type
"""
_CHANGING: Final = """
    add append appendleft clear discard extend extendleft insert move_to_end pop popitem popleft remove reverse
    setdefault sort update
"""
_CONTAINERS: Final = """
    bytearray ConfigDict Counter defaultdict deque dict Dict list List MutableMapping MutableSequence OrderedDict set
    Set
"""

# Of arrays

# Attributes that are arrays, and methods that return arrays; shape, dtype, ndim, size and all others are concrete.
ARRAY_ATTRIBUTES: Final = frozenset({"T", "mT", "at", "real", "imag"})
# Those that no object of a user's class is likely to have.
UNAMBIGUOUS_ATTRIBUTES: Final = frozenset({"mT", "at"})
ARRAY_METHODS: Final = frozenset(_ARRAY_METHODS.split())
# Those that no dict and no object of a user's class is likely to have.
UNAMBIGUOUS_METHODS: Final = ARRAY_METHODS - frozenset(
    {"add", "apply", "choose", "clip", "copy", "get", "multiply", "power", "repeat", "set", "sort", "take", "view"}
)
# Methods that ask an array for its concrete value.
CONVERTING_METHODS: Final = frozenset({"item", "tolist"})

# Methods of `x.at[i]` that return a changed copy of `x`, and do nothing else.
_UPDATING: Final = "add apply divide max min mul multiply power set subtract"
UPDATING_METHODS: Final = frozenset(_UPDATING.split())
# What objects have that are copied with some fields changed, and the keyword by which a call of it is known.
COPYING_METHODS: Final = {"_replace": "", "replace": "", "apply_gradients": "grads"}

# The methods by which a function of JAX is given a rule of its own, and the parameters that take the rules.
RULE_METHODS: Final = {
    "defjvp": ("jvp",),
    "defjvps": (),
    "defvjp": ("fwd", "bwd"),
    "def_vmap": ("vmap_rule",),
}

# Functions and methods by which an array gets values that are no whole numbers, most of the time.
_FRACTIONS: Final = """
    cos entropy exp log log10 log1p log2 logsumexp mean median nanmean norm normal percentile quantile sigmoid sin sqrt
    std tanh uniform var
"""
FRACTIONS: Final = frozenset(_FRACTIONS.split())
# Those that ask a question, to which the answer is yes or no.
FLAGS: Final = frozenset({"all", "allclose", "any", "array_equal"})
# The method that makes a number of Python's of an array.
TO_NUMBER: Final = "item"

# Methods whose result has a length that depends on values.
SIZED_METHODS: Final = {
    "nonzero": SizedBy("size", None),
    "repeat": SizedBy("total_repeat_length", 0, "repeats"),
}

# The options of methods that have to be concrete, by position.
_REDUCING: Final = "all any argmax argmin argsort cumprod cumsum max mean min prod ptp sort squeeze std sum var"
STATIC_OF_METHODS: Final = {
    **dict.fromkeys(_REDUCING.split(), ("axis",)),
    "argpartition": ("kth", "axis"),
    "diagonal": ("offset", "axis1", "axis2"),
    "nonzero": ("size",),
    "repeat": ("", "axis", "total_repeat_length"),
    "round": ("decimals",),
    "swapaxes": ("axis1", "axis2"),
    "take": ("", "axis"),
    "trace": ("", "axis1", "axis2"),
}
# Those of which all arguments do: they are one option, or several parts of it.
SPREAD_OF_METHODS: Final = {"reshape": "shape", "transpose": "axes"}

# Functions that show the progress of a loop over their first argument, whichever package they come from.
PROGRESS_BARS: Final = frozenset(
    {"alive_it", "master_bar", "progress_bar", "progressbar", "tqdm", "tqdm_notebook", "track"}
)
# The names that these, and others that hand on what they iterate over, have for that argument.
ITERABLES: Final = ("iterable", "it", "sequence")
# Those of Python that do.
HANDING_ON_ITEMS: Final = frozenset(f"builtins.{name}" for name in ("iter", "list", "reversed", "tuple"))
# What counts as `range` does: with a progress bar, or in parallel (Numba).
RANGES: Final = frozenset({"prange", "range", "tnrange", "trange"})

# Concrete on a tracer, and on anything that holds one.
CONCRETE_ATTRIBUTES: Final = frozenset(_CONCRETE_ATTRIBUTES.split())
# Of these, those that are the same for a tracer as for the array that it stands for.
SHAPE_ATTRIBUTES: Final = frozenset({"dtype", "itemsize", "nbytes", "ndim", "shape", "sharding", "size"})
# These operators return a `bool` of Python's, never an array, whatever the class of their operands says.
CONCRETE_OPERATORS: Final = frozenset({"is", "is not", "in", "not in"})
CONCRETE_METHODS: Final = frozenset({"format", "get_shape", "keys"})

# Of an object that holds an array which can be replaced: the array.
VARIABLE_ATTRIBUTES: Final = frozenset({"value", "raw_value"})
VARIABLE_SETTERS: Final = frozenset({"set_value"})
VARIABLE_PACKAGE: Final = "flax.nnx."  # whose objects hold such variables
# The option of variables that change in any trace: `nnx.var_defaults(hijax=True)`.
SHARED_VARIABLES: Final = "hijax"

# Of containers

# Classes whose objects change in place and have no hash, by the last part of their names.
MUTABLE_CONTAINERS: Final = frozenset(_CONTAINERS.split())
# Methods that change a list, dict or set, when called as a statement.
CHANGING_METHODS: Final = frozenset(_CHANGING.split())
# Methods of lists and dicts after which the contents are no longer known.
MUTATING_METHODS: Final = CHANGING_METHODS - {"add", "appendleft", "discard", "extendleft", "move_to_end", "popleft"}
# Methods whose names tell that they change the object, whatever its class; first those of sequences alone.
SEQUENCE_METHODS: Final = frozenset({"append", "appendleft", "extend", "extendleft", "insert"})
TELLING_METHODS: Final = SEQUENCE_METHODS | {"pop", "popitem", "popleft", "setdefault"}
# Methods that return what the container holds, or a default that is passed.
ELEMENT_METHODS: Final = frozenset({"get", "pop", "setdefault", "items", "values", "keys", "copy", "__getitem__"})
# Methods of lists and tuples that compare their first argument with each item, or take it for an index; of dicts and
# sets that look it up.
COMPARING_METHODS: Final = frozenset({"count", "index", "remove"})
INDEXING_METHODS: Final = frozenset({"insert", "pop"})
HASHING_METHODS: Final = frozenset({"add", "discard", "get", "pop", "remove", "setdefault"})
# What Python's numbers have, and no tracer has.
NUMBER_ATTRIBUTES: Final = frozenset(
    {"as_integer_ratio", "bit_count", "bit_length", "denominator", "hex", "is_integer", "numerator", "to_bytes"}
)

# Functions of JAX and NumPy, by the last part of their names, that make an array of the items of a list, and those that
# join arrays to a longer one.
_JOINING: Final = "append column_stack concat concatenate dstack hstack row_stack vstack"
JOINING_FUNCTIONS: Final = frozenset(_JOINING.split())
COLLECTING_FUNCTIONS: Final = (JOINING_FUNCTIONS - {"append"}) | {"array", "asarray", "stack"}
AS_ARRAY: Final = frozenset({"array", "asarray"})
# Methods by which a list gets longer, and by which it loses items.
EXTENDING_METHODS: Final = frozenset({"append", "extend", "insert"})
SHRINKING_METHODS: Final = frozenset({"clear", "pop", "popitem", "remove"})
# What makes an empty one.
CONTAINERS_MADE: Final = frozenset(f"builtins.{name}" for name in ("dict", "list", "sorted"))

# Functions that draw from the generator of the process, by the names under which people call them.
_DRAWS_OF_NUMPY: Final = """
    beta binomial choice exponential gamma multivariate_normal normal permutation poisson rand randint randn random
    random_sample standard_normal uniform
"""
_DRAWS_OF_PYTHON: Final = """
    betavariate choice choices expovariate gauss normalvariate randint random randrange sample triangular uniform
"""
NUMPY_RANDOM: Final = "numpy.random"
DRAWING_FUNCTIONS: Final = frozenset(
    f"{module}.{name}"
    for module, names in ((NUMPY_RANDOM, _DRAWS_OF_NUMPY), ("random", _DRAWS_OF_PYTHON))
    for name in names.split()
)
PYTHON_DRAWS: Final = frozenset(_DRAWS_OF_PYTHON.split())
# What makes a generator with a state of its own, and the classes of these.
GENERATORS: Final = frozenset(
    {"numpy.random.default_rng", "numpy.random.Generator", "numpy.random.RandomState", "random.Random"}
)
SEEDING_FUNCTIONS: Final = frozenset({"numpy.random.seed", "random.seed"})
# Functions that say what time it is.
CLOCK_FUNCTIONS: Final = frozenset(
    {
        "datetime.datetime.now",
        "datetime.datetime.today",
        "datetime.datetime.utcnow",
        "time.time",
        "time.time_ns",
    }
)
