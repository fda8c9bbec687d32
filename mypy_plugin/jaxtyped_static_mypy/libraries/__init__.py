"""One file a library, listed here. What the libraries say is joined to the tables that the checker reads.

To teach the checker another library, add its file, and the name of the file to the list.
"""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Final

from mypy.nodes import TypeInfo

from ..facts.class_facts import facts_of
from ..knowledge import jax_functions
from ..knowledge.function_rows import NOTHING, KnownFunction, New, Role
from ..knowledge.jax_types import ALIASES, JAX_TYPES
from ..knowledge.python_functions import NUMPY_FUNCTIONS, PYTHON_FUNCTIONS
from ..knowledge.python_types import PYTHON_TYPES
from ..knowledge.type_rows import AsKey, InTrace, KnownType, Trait
from ._library import CollectedFields, Library
from ._library import Declaration as Declaration

# One line a library. The first that recognises a class declares it: the general case, which mypy's own metadata decide,
# comes last.
_FILES: Final = (
    "jaxtyped_static",
    "pydantic",
    "attrs",
    "chex",
    "flax",
    "linen",
    "equinox",
    "penzai",
    "jax_dataclasses",
    "jax",
    "simple_pytree",
    "dataclasses",
    "nnx",
    "optax",
    "immutabledict",
    "frozendict",
    "ml_collections",
    "beartype",
    "jaxtyping",
    "typeguard",
)


def _library(file: str) -> Library:
    library: Library = import_module(f"{__name__}.{file}").LIBRARY
    return library


LIBRARIES: Final[tuple[Library, ...]] = tuple(map(_library, _FILES))


def _packages(libraries: Iterable[Library]) -> tuple[str, ...]:
    return tuple(package for library in libraries for package in library.packages)


# Names on PyPI of what messages advise: those of the modules.
ADVISED_PACKAGES: Final = tuple(file for file, library in zip(_FILES, LIBRARIES, strict=True) if library.is_advised)

# Types: a row each, and the columns that are asked for by name


TYPES: Final[Mapping[str, KnownType]] = {
    **PYTHON_TYPES,
    **JAX_TYPES,
    **{name: row for library in LIBRARIES for name, row in library.types.items()},
}
# Types whose behaviour as a key is known: their source is not read, and they have no state of the user's.
KEY_TYPES: Final = {name: row for name, row in TYPES.items() if row.key is not None}
TRACE_TYPES: Final = {name: row.trace for name, row in TYPES.items() if row.trace is not None}
STATIC_ALIASES: Final = frozenset(name for name, row in ALIASES.items() if row.key is AsKey.STATIC)
UNTRACEABLE_ALIASES: Final = frozenset(name for name, row in ALIASES.items() if row.trace is InTrace.NEVER)
TRACED_ALIASES: Final = frozenset(name for name, row in ALIASES.items() if row.trace is InTrace.LEAF)
# Numbers, and arrays of NumPy: traced where they are passed as dynamic arguments, and not otherwise.
TRACED_NUMBERS: Final = frozenset(
    name for name, row in TYPES.items() if row.trace is InTrace.LEAF and row.key is not AsKey.ARRAY
)


def types_with(trait: Trait) -> frozenset[str]:
    """The full names of the types with this trait; for module level: it looks at each row."""
    return frozenset(name for name, row in TYPES.items() if trait in row.traits)


# The callables that stand for compiled functions, as the fallbacks of their types.
COMPILED_TYPES: Final = types_with(Trait.COMPILED)

# Functions: a row each

# Of all packages but jax and NumPy, whose functions have names of their own in the tables.
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


def known_function(fullname: str) -> KnownFunction:
    """The row of any function; an empty one where there is none."""
    package, _, rest = fullname.partition(".")
    if package == "jax":
        return jax_functions.jax_function(fullname)
    if package == "numpy":
        return NUMPY_FUNCTIONS.get(rest.rpartition(".")[2], NOTHING)
    return FUNCTIONS.get(fullname, NOTHING)


def functions_with(role: Role) -> frozenset[str]:
    """The full names of the functions with this role, outside of jax; for module level: it looks at each row."""
    return frozenset(name for name, row in FUNCTIONS.items() if role in row.roles)


# Classes

PYTREE_DECORATORS: Final = frozenset().union(*(library.pytree_decorators for library in LIBRARIES))
PYTREE_BASES: Final = frozenset().union(*(library.pytree_bases for library in LIBRARIES))
STATIC_DECORATORS: Final = frozenset().union(*(library.static_decorators for library in LIBRARIES))
STATIC_FIELD_OPTIONS: Final = frozenset(option for library in LIBRARIES for option in library.static_field_options)
STATIC_SPECIFIERS: Final = frozenset().union(*(library.static_specifiers for library in LIBRARIES))
ABSTRACT_FIELDS: Final = frozenset().union(*(library.abstract_fields for library in LIBRARIES))
VALUE_METHODS: Final = frozenset().union(*(library.value_methods for library in LIBRARIES))
TREE_METHODS: Final = frozenset().union(*(library.tree_methods for library in LIBRARIES))
COPYING_BASES: Final = frozenset().union(*(library.copying_bases for library in LIBRARIES))
CALLABLE_TREES: Final = tuple(name for library in LIBRARIES for name in library.callable_trees)
# The general case first: pydantic's models are dataclasses, too.
COLLECTED: Final[tuple[CollectedFields, ...]] = tuple(
    library.collected for library in reversed(LIBRARIES) if library.collected is not None
)

# What the full names of classes, and functions, of such libraries begin with.
DECLARING_PACKAGES: Final = _packages(library for library in LIBRARIES if library.only_declares)
LAYER_PACKAGES: Final = _packages(library for library in LIBRARIES if library.has_layers)
TRACKING_PACKAGES: Final = _packages(library for library in LIBRARIES if library.tracks_mutation)
LIFTING_PACKAGES: Final = _packages(library for library in LIBRARIES if library.lifts_objects)


def declaration_of(info: TypeInfo) -> Declaration | None:
    """How the class statement itself was declared, by the first library that recognises it."""
    facts = facts_of(info)
    for library in LIBRARIES:
        if library.declare is not None and (declaration := library.declare(info, facts)) is not None:
            return declaration
    return None
