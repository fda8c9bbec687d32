"""Full names, as mypy resolves them, that are needed in every program, with or without jax.

The tables of types, functions and libraries are not imported before a program turns out to have to do with jax.
"""

from typing import Final

PACKAGE: Final = "jaxtyped_static"
# Folders of installed packages.
INSTALLED: Final = ("site-packages", "dist-packages")

# Programs are checked against the package's stubs; the names with an underscore are those of the code behind them,
# which is what this project itself is checked against.

STATIC_MARKERS: Final = frozenset(
    {
        f"{PACKAGE}.Static",
        f"{PACKAGE}._markers.Static",
        "jax_dataclasses._dataclasses.Static",
        "jax_dataclasses.Static",
        "jax.typing.Static",
        "jax._src.typing.Static",
    }
)
DYNAMIC_MARKERS: Final = frozenset({f"{PACKAGE}.Dynamic", f"{PACKAGE}._markers.Dynamic"})
# As programs import them: nothing else is known of a name before mypy analyses it.
IMPORTED_MARKERS: Final = STATIC_MARKERS | DYNAMIC_MARKERS

JAX: Final = "jax."  # the start of the full names of all that is JAX's
NUMPY: Final = "numpy"
SCIPY: Final = "scipy"
# What devices exchange, with the module that JAX defines them in (JAX 0.10.2).
_COLLECTIVES: Final = frozenset(
    f"jax._src.lax.parallel.{name}" for name in ("all_gather", "pmax", "pmean", "pmin", "psum")
)
# These, and what moves an array between devices.
MOVING: Final = _COLLECTIVES | {"jax._src.pjit.with_sharding_constraint"}
JAX_RANDOM: Final = "jax.random."  # keys and numbers: all are arrays
JAX_NUMPY: Final = "jax.numpy."
# The start of the names of functions whose results are arrays, all but a few that return tuples or lists of them.
MAKING_ARRAYS: Final = (JAX_NUMPY, JAX_RANDOM, f"{JAX}nn.", f"{JAX}lax.stop_gradient")
TREE_MAPS: Final = ("jax.tree.map", "jax.tree_util.tree_map")
# What classes make arrays with, most of the time.
_ARRAY_MAKERS: Final = """
    arange array asarray concatenate empty empty_like eye full full_like geomspace identity linspace load loadtxt
    logspace ones ones_like stack tile zeros zeros_like
"""
ARRAY_MAKERS: Final = frozenset(
    f"{module}.{name}" for module in (f"{JAX}numpy", NUMPY) for name in _ARRAY_MAKERS.split()
)
# The modules below these packages are not there after `import jax` alone.
NOT_IMPORTED: Final = ("jax.example_libraries", "jax.experimental.", "jax.extend")
NAMED_TUPLE: Final = "typing.NamedTuple"
LINEN_MODULE: Final = "flax.linen.module.Module"
# Its methods that return variables, alone or beside a result.
VARIABLES_OF_LINEN: Final = frozenset(f"{LINEN_MODULE}.{name}" for name in ("apply", "init", "init_with_output"))
NNX_MODULE: Final = "flax.nnx.module.Module"
# What classes of Flax NNX make variables with, which hold arrays.
VARIABLE_MAKERS: Final = frozenset(
    f"flax.nnx.{name}" for name in ("BatchStat", "Cache", "Intermediate", "Param", "Perturbation", "Variable")
)
# Its Python classes are generated, for the operations of compilers; programs hold none.
JAXLIB: Final = "jaxlib."
FLATTEN_METHODS: Final = ("tree_flatten", "tree_flatten_with_keys")  # methods, by name
UNFLATTEN_METHOD: Final = "tree_unflatten"
CALL_METHOD: Final = "__call__"
REGISTER: Final = "jax.tree_util.register_pytree_node"
# What the decorators and field functions that settings name stand for.
DATACLASS: Final = "dataclasses.dataclass"
REGISTER_DATACLASS: Final = "jax.tree_util.register_dataclass"
REGISTER_STATIC: Final = "jax.tree_util.register_static"
STATIC_FIELD: Final = "jax.tree.static"

ABSTRACT_BASE: Final = "abc.ABC"
PARTIAL: Final = "functools.partial"
# The private decorator that gives the checker a hook for each class; its dot keeps it apart from names in programs.
CLASS_CHECK: Final = "<jaxtyped_static>.check_class"

CACHED_PROPERTY: Final = "functools.cached_property"
CACHES: Final = frozenset({CACHED_PROPERTY, "functools.cache", "functools.lru_cache"})

# Decorators that call a function once for each set of arguments, and the class of what they return.
MEMOISING: Final = CACHES - {CACHED_PROPERTY}
MEMOISED: Final = "functools._lru_cache_wrapper"
CACHED_CALL: Final = f"{MEMOISED}.__call__"

# Names that type checkers see as another function, and that do more when the program runs.
RE_EXPORTED: Final = frozenset({"jax_dataclasses.pytree_dataclass", "jax_dataclasses.static_field"})

# The classes of lists and tuples, and what makes them, with the word for what they are.
LISTS: Final = {"builtins.list": "list", "builtins.tuple": "tuple"}
LIST_MAKERS: Final = {**LISTS, "builtins.sorted": "list"}

# They return another item each time they are asked, and what they return is asked for it.
ITERATORS: Final = frozenset(
    {"builtins.iter", "itertools.count", "itertools.cycle", "typing.Generator", "typing.Iterator"}
)
NEXT_ITEM: Final = "builtins.next"

# They return what they are given, for mypy as another type.
CASTS: Final = frozenset({"typing.cast", "typing_extensions.cast"})
# They return a new object of the class of what they are given.
COPYING_FUNCTIONS: Final = frozenset(
    {"attr.evolve", "attrs.evolve", "copy.copy", "copy.deepcopy", "copy.replace", "dataclasses.replace"}
)

# Modules whose functions compute: what they return is neither a function nor a class.
COMPUTING: Final = ("builtins", "math", "numpy", "jax.numpy", "jax.lax", "jax.nn", "jax.random", "jax.scipy", "scipy")

# Classes of which no tracer is an instance.
NO_TRACERS: Final = frozenset(
    {f"builtins.{name}" for name in ("bool", "complex", "dict", "float", "int", "list", "str", "tuple")}
    | {f"{NUMPY}.generic", f"{NUMPY}.ndarray"}
)

# Packages whose functions are known by name: what their source does is not read.
KNOWN_PACKAGES: Final = frozenset(
    (
        "attr attrs beartype builtins chex dataclasses enum equinox flax functools jax jax_dataclasses jax_md jaxlib "
        "jaxtyping numpy penzai pydantic pytreeclass sepes simple_pytree tree_math typeguard typing typing_extensions "
        f"{PACKAGE}"
    ).split()
)


def makes_host_array(function: str) -> bool:
    """Whether NumPy makes an array, by the full name of a function, which it may define in a private module."""
    return function.startswith(f"{NUMPY}.") and f"{NUMPY}.{function.rpartition('.')[2]}" in ARRAY_MAKERS
