"""One file for each library. Their rows are joined here to the tables that the rest of the checker reads.

To add a library, write its file and list it here.
"""

from collections.abc import Container, Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Final

from mypy.nodes import TypeInfo

from ..facts.class_facts import facts_of
from ..knowledge import jax_functions
from ..knowledge.eager_functions import eager_function
from ..knowledge.full_names import SCIPY
from ..knowledge.function_rows import NO_ROW, EagerFunction, Effect, JitFunction, KnownFunction, New
from ..knowledge.jax_types import JAX_ALIASES, JAX_TYPES
from ..knowledge.numpy_functions import numpy_function
from ..knowledge.python_functions import PYTHON_FUNCTIONS
from ..knowledge.python_types import PYTHON_TYPES
from ..knowledge.scipy_functions import scipy_function
from ..knowledge.type_rows import AsKey, InTrace, KnownType, Trait
from ._library import CollectedFields, Library, decorator_arguments
from ._library import Declaration as Declaration
from .dataclasses import DECORATORS as DATACLASS
from .dataclasses import LIBRARY as DATACLASSES
from .jaxtyped_static import JIT_VIEWS, WRAPPER

# The first that recognises a class declares it: `dataclasses`, which goes by mypy's metadata, comes after those whose
# classes mypy takes for dataclasses.
_FILES: Final = (
    "jaxtyped_static",
    "pydantic",
    "attrs",
    "chex",
    "flax",
    "linen",
    "equinox",
    "penzai",
    "tree_math",
    "jax_md",
    "jax_dataclasses",
    "jax",
    "pytreeclass",
    "simple_pytree",
    "dataclasses",
    "nnx",
    "haliax",
    "optax",
    "optimistix",
    "jax_tqdm",
    "immutabledict",
    "frozendict",
    "ml_collections",
    "beartype",
    "jaxtyping",
    "typeguard",
    "clu",
    "diffrax",
    "distrax",
    "gin",
    "haiku",
)


def _library(file: str) -> Library:
    library: Library = import_module(f"{__name__}.{file}").LIBRARY
    return library


LIBRARIES: Final[tuple[Library, ...]] = tuple(map(_library, _FILES))


def _packages(libraries: Iterable[Library]) -> tuple[str, ...]:
    return tuple(package for library in libraries for package in library.packages)


# As `pip install` names them.
ADVISED_PACKAGES: Final = tuple(file for file, library in zip(_FILES, LIBRARIES, strict=True) if library.is_advised)

# Types


TYPES: Final[Mapping[str, KnownType]] = {
    **PYTHON_TYPES,
    **JAX_TYPES,
    **{name: row for library in LIBRARIES for name, row in library.types.items()},
}
# Types whose behaviour as a key is known: their source is not read.
KEY_TYPES: Final = {name: row for name, row in TYPES.items() if row.key is not None}
TRACE_TYPES: Final = {name: row.trace for name, row in TYPES.items() if row.trace is not None}
_ALIASES: Final[Mapping[str, KnownType]] = {
    **JAX_ALIASES,
    **{name: row for library in LIBRARIES for name, row in library.aliases.items()},
}
STATIC_ALIASES: Final = frozenset(name for name, row in _ALIASES.items() if row.key is AsKey.STATIC)
UNTRACEABLE_ALIASES: Final = frozenset(name for name, row in _ALIASES.items() if row.trace is InTrace.NEVER)
TRACED_ALIASES: Final = frozenset(name for name, row in _ALIASES.items() if row.trace is InTrace.LEAF)
# Leaves that are no tracers by their type: numbers and NumPy's arrays.
TRACED_NUMBERS: Final = frozenset(
    name for name, row in TYPES.items() if row.trace is InTrace.LEAF and row.key is not AsKey.ARRAY
)


@cache
def types_with(trait: Trait) -> frozenset[str]:
    """The full names of the types with this trait. Call it at import: the first time, it reads every row."""
    return frozenset(name for name, row in TYPES.items() if trait in row.traits)


# The fallbacks of the types of compiled functions.
COMPILED_TYPES: Final = types_with(Trait.COMPILED)
COMPILED_BY_LISTS: Final = COMPILED_TYPES.difference(JIT_VIEWS, (WRAPPER,))  # the markers come from lists
FILTERED_TYPES: Final = types_with(Trait.FILTERED)

# Functions

# By full name; JAX and NumPy have tables of their own, with other keys.
FUNCTIONS: Final = {
    **PYTHON_FUNCTIONS,
    **{name: row for library in LIBRARIES for name, row in library.functions.items()},
}
JIT_FUNCTIONS: Final = {
    **jax_functions.JIT_FUNCTIONS,
    **{name: row.compiles for name, row in FUNCTIONS.items() if row.compiles is not None},
}
FACTORIES: Final = (
    *((package, New.FUNCTION) for package in jax_functions.FACTORIES),
    *(factory for library in LIBRARIES for factory in library.factories),
)


@cache  # asked for most calls of a file, again and again
def known_function(fullname: str) -> KnownFunction:
    """The row of a function by its full name; an empty one if it has none."""
    package = fullname.partition(".")[0]
    if package == "jax":
        return jax_functions.jax_function(fullname)
    if package == "numpy":
        return numpy_function(fullname)
    if package == SCIPY:
        return scipy_function(fullname)
    return FUNCTIONS.get(fullname, NO_ROW)


def compiled_eagerly(fullname: str) -> EagerFunction | None:
    """What makes a call of a function compile again outside of jit; None if it never does."""
    return eager_function(fullname) or FUNCTIONS.get(fullname, NO_ROW).eager


def jit_function(fullname: str, own: Container[str]) -> JitFunction | None:
    """How a function compiles another one; None if it does not. `own`: those that the settings add, like `jax.jit`."""
    return jax_functions.JAX_JIT if fullname in own else JIT_FUNCTIONS.get(fullname)


def functions_with(effect: Effect) -> frozenset[str]:
    """The full names of the functions with this effect, without those of JAX and NumPy. Call it at import."""
    return frozenset(name for name, row in FUNCTIONS.items() if effect in row.effects)


# Classes

REBUILT_BY_CONSTRUCTOR: Final = frozenset().union(*(library.rebuilds_by_constructor for library in LIBRARIES))
PYTREE_DECORATORS: Final = frozenset().union(*(library.pytree_decorators for library in LIBRARIES))
PYTREE_BASES: Final = frozenset().union(*(library.pytree_bases for library in LIBRARIES))
STATIC_DECORATORS: Final = frozenset().union(*(library.static_decorators for library in LIBRARIES))
STATIC_FIELD_OPTIONS: Final = frozenset(option for library in LIBRARIES for option in library.static_field_options)
STATIC_SPECIFIERS: Final = frozenset().union(*(library.static_specifiers for library in LIBRARIES))
ABSTRACT_FIELDS: Final = frozenset().union(*(library.abstract_fields for library in LIBRARIES))
VALUE_METHODS: Final = frozenset().union(*(library.value_methods for library in LIBRARIES))
TREE_METHODS: Final = frozenset().union(*(library.tree_methods for library in LIBRARIES))
MAKERS: Final = frozenset().union(*(library.makers for library in LIBRARIES))
SPLITTING_FUNCTIONS: Final = frozenset().union(*(library.splitting_functions for library in LIBRARIES))
COPYING_BASES: Final = frozenset().union(*(library.copying_bases for library in LIBRARIES))
TREE_EDITORS: Final = {base: row.tree_editor for row in LIBRARIES if row.tree_editor for base in row.pytree_bases}
CALLABLE_TREES: Final = tuple(name for library in LIBRARIES for name in library.callable_trees)
# `dataclasses` first, as a pydantic model is a dataclass to mypy.
COLLECTED: Final[tuple[CollectedFields, ...]] = tuple(
    library.collected for library in reversed(LIBRARIES) if library.collected is not None
)

# The starts of full names.
DECLARING_PACKAGES: Final = _packages(library for library in LIBRARIES if library.only_declares)
LAYER_PACKAGES: Final = _packages(library for library in LIBRARIES if library.has_layers)
TRACKING_PACKAGES: Final = _packages(library for library in LIBRARIES if library.tracks_mutation)
LIFTING_PACKAGES: Final = _packages(library for library in LIBRARIES if library.lifts_objects)


def declaration_of(info: TypeInfo) -> Declaration | None:
    """How the class itself was declared; None for a plain class."""
    facts = facts_of(info)
    for library in LIBRARIES:
        if library.declare is not None and (declaration := library.declare(info, facts)) is not None:
            return declaration
    return None


def refuses_defaults_without_hash(info: TypeInfo) -> bool:
    """Whether the class statement raises for a default without a hash, from Python 3.11 on.

    A decorator that a program writes itself may give such a field a factory first.
    """
    facts = facts_of(info)
    if facts.get("by_helper"):
        return False
    declaring = (library for library in LIBRARIES if library.declare is not None and library.declare(info, facts))
    library = next(declaring, None)
    is_transformed = library is DATACLASSES and decorator_arguments(facts, DATACLASS) is None
    return library is not None and library.makes_dataclasses and not is_transformed


def lifted_by(info: TypeInfo) -> str:
    """The name by which a library is imported whose transformations update objects of this class; empty for none."""
    return next((name for base in info.mro if (name := lifting_library(base.fullname))), "")


def lifting_library(fullname: str) -> str:
    """The name by which such a library is imported, of something that it defines; empty for none."""
    lifting = (library for library in LIBRARIES if library.lifts_objects)
    return next((library.lifts_objects for library in lifting if fullname.startswith(library.packages)), "")
