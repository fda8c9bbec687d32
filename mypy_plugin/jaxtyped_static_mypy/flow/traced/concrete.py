"""What stays concrete under a trace, and what carries the tracer on. Data only, by name."""

from typing import Final

_ARRAY_METHODS: Final = """
    abs all any argmax argmin argpartition argsort astype choose clip compress conj conjugate copy cumprod cumsum
    diagonal dot flatten get max mean min nonzero prod ptp ravel repeat reshape round searchsorted sort squeeze std sum
    swapaxes take trace transpose var view add apply divide mul multiply power set subtract
"""

_CONCRETE_FUNCTIONS: Final = """
    api.eval_shape api.device_get api.make_jaxpr api.devices api.local_devices
    numpy.shape numpy.ndim numpy.size numpy.result_type numpy.promote_types numpy.issubdtype numpy.isdtype
    numpy.can_cast numpy.dtype numpy.finfo numpy.iinfo numpy.iscomplexobj numpy.isrealobj numpy.isscalar
"""

_MUTATING_METHODS: Final = "append clear extend insert pop popitem remove reverse setdefault sort update"

# Attributes and methods of arrays that are arrays again; shape, dtype, ndim, size and all others are concrete.
ARRAY_ATTRIBUTES: Final = frozenset({"T", "mT", "at", "real", "imag"})
ARRAY_METHODS: Final = frozenset(_ARRAY_METHODS.split())
# Those that no dict and no object of a user's class is likely to have.
UNAMBIGUOUS_METHODS: Final = ARRAY_METHODS - frozenset(
    {"add", "apply", "choose", "clip", "copy", "get", "multiply", "power", "repeat", "set", "sort", "take", "view"}
)

# Methods of lists and dicts after which what they hold is no longer known.
MUTATING_METHODS: Final = frozenset(_MUTATING_METHODS.split())

# Builtins whose result is a tracer when an argument is; that of `int`, `len`, `isinstance` and others is concrete.
TRACED_BUILTINS: Final = frozenset({"builtins.abs", "builtins.divmod", "builtins.pow", "builtins.round"})
SEQUENCES: Final = frozenset({"builtins.list", "builtins.tuple", "builtins.reversed", "builtins.iter"})

# The parts of jax whose functions compute: of those that do not say what they return, none of these is concrete but the
# following.
VALUE_AREAS: Final = frozenset({"api", "image", "lax", "nn", "numpy", "ops", "random", "scipy"})

# Functions of jax that answer with something concrete; by the name that `jax_name` gives.
CONCRETE_FUNCTIONS: Final = frozenset(_CONCRETE_FUNCTIONS.split())

# What a `with` statement makes concrete.
CONCRETE_CONTEXTS: Final = frozenset({"core.ensure_compile_time_eval"})


def jax_name(fullname: str) -> str | None:
    """`area.function` of a function of jax, whose private modules move: `jax._src.random.core.normal` is
    `random.normal`; None for any other function.
    """
    if not fullname.startswith("jax."):
        return None
    parts = fullname.split(".")
    inner = parts[2:] if parts[1] == "_src" else parts[1:]
    return f"{inner[0]}.{inner[-1]}" if len(inner) > 1 else f"api.{inner[-1]}" if inner else None
