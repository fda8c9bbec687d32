"""Full names, as mypy resolves them, that are needed in every program, with or without jax.

The tables of types, functions and libraries are not imported before a program turns out to have to do with jax.
"""

from typing import Final

PACKAGE: Final = "jaxtyped_static"
# Folders of what the user has not written.
INSTALLED: Final = ("site-packages", "dist-packages")

# Programs are checked with the package's stubs. The names with an underscore are those of the code behind them, by
# which this project itself is checked.
STATIC: Final = f"{PACKAGE}.Static"
JIT: Final = (f"{PACKAGE}.jit", f"{PACKAGE}._jit.jit")

STATIC_MARKERS: Final = frozenset(
    {
        STATIC,
        f"{PACKAGE}._markers.Static",
        "jax_dataclasses._dataclasses.Static",
        "jax_dataclasses.Static",
        "jax.typing.Static",
        "jax._src.typing.Static",
    }
)
DYNAMIC_MARKERS: Final = frozenset({f"{PACKAGE}.Dynamic", f"{PACKAGE}._markers.Dynamic"})
# As programs import them, which is all that is known of a name that mypy does not analyse.
IMPORTED_MARKERS: Final = STATIC_MARKERS | DYNAMIC_MARKERS

JAX: Final = "jax."  # what the full names of jax begin with
# Half of the classes that mypy meets with jax are generated, for the operations of its compiler; programs hold none.
OPERATIONS: Final = "jaxlib.mlir."
REGISTER: Final = "jax.tree_util.register_pytree_node"

PARTIAL: Final = "functools.partial"
# The private decorator by which the checker comes by each class; its dot keeps it apart from names of programs.
CLASS_CHECK: Final = "<jaxtyped_static>.check_class"

CACHED_PROPERTY: Final = "functools.cached_property"
CACHES: Final = frozenset({CACHED_PROPERTY, "functools.cache", "functools.lru_cache"})

# Those that call a function once for each of its arguments, and what they return.
MEMOISING: Final = CACHES - {CACHED_PROPERTY}
MEMOISED: Final = "functools._lru_cache_wrapper"
CACHED_CALL: Final = f"{MEMOISED}.__call__"

# Names that re-export another function to type checkers, and mean more than it when the program runs.
RE_EXPORTED: Final = frozenset({"jax_dataclasses.pytree_dataclass", "jax_dataclasses.static_field"})
