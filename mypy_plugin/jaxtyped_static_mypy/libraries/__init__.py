"""One file a library. To teach the checker another, add its file and its row here."""

from typing import Final

from mypy.nodes import TypeInfo

from ..facts.class_facts import facts_of
from . import (
    attrs,
    chex,
    dataclasses,
    dynamic_dataclass,
    equinox,
    flax,
    jax,
    jax_dataclasses,
    linen,
    nnx,
    penzai,
    pydantic,
    simple_pytree,
    static_dataclass,
)
from ._library import Declaration as Declaration
from ._library import Library

# The first that recognises a class declares it: the general case, which mypy's own metadata decide, comes last.
LIBRARIES: Final[tuple[Library, ...]] = tuple(
    module.LIBRARY
    for module in (
        static_dataclass,
        dynamic_dataclass,
        pydantic,
        attrs,
        chex,
        flax,
        linen,
        equinox,
        penzai,
        jax_dataclasses,
        jax,
        simple_pytree,
        dataclasses,
        nnx,
    )
)

PYTREE_DECORATORS: Final = frozenset().union(*(library.pytree_decorators for library in LIBRARIES))
PYTREE_BASES: Final = frozenset().union(*(library.pytree_bases for library in LIBRARIES))
STATIC_DECORATORS: Final = frozenset().union(*(library.static_decorators for library in LIBRARIES))
STATIC_FIELD_OPTIONS: Final = frozenset(option for library in LIBRARIES for option in library.static_field_options)
STATIC_SPECIFIERS: Final = frozenset().union(*(library.static_specifiers for library in LIBRARIES))
ABSTRACT_FIELDS: Final = frozenset().union(*(library.abstract_fields for library in LIBRARIES))


def declaration_of(info: TypeInfo) -> Declaration | None:
    """How the class statement itself was declared, by the first library that recognises it."""
    facts = facts_of(info)
    for library in LIBRARIES:
        if library.declare is not None and (declaration := library.declare(info, facts)) is not None:
            return declaration
    return None
