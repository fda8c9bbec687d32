"""One file a library. To teach the checker another, add its file and its row here."""

from typing import Final

from . import attrs, chex, dataclasses, equinox, flax, jax, jax_dataclasses, pydantic
from ._library import Declaration as Declaration
from ._library import Library

# The first that recognises a class declares it: the general case, which mypy's own metadata decide, comes last.
LIBRARIES: Final[tuple[Library, ...]] = tuple(
    module.LIBRARY for module in (pydantic, attrs, chex, flax, equinox, jax_dataclasses, jax, dataclasses)
)

PYTREE_DECORATORS: Final = frozenset().union(*(library.pytree_decorators for library in LIBRARIES))
PYTREE_BASES: Final = frozenset().union(*(library.pytree_bases for library in LIBRARIES))
STATIC_DECORATORS: Final = frozenset().union(*(library.static_decorators for library in LIBRARIES))
STATIC_FIELD_OPTIONS: Final = frozenset(option for library in LIBRARIES for option in library.static_field_options)
