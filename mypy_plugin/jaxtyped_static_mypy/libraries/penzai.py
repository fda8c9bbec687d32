"""penzai: `@pz.pytree_dataclass` makes a frozen dataclass, and a pytree with the base `pz.Struct`. It has no types."""

from ._library import Declaration, Library, declared_by

_MODULES = ("penzai.pz", "penzai.core.struct")
_DECORATORS = frozenset(f"{module}.pytree_dataclass" for module in _MODULES)

LIBRARY = Library(
    declare=declared_by(_DECORATORS, Declaration(frozen=True, eq=True)),
    makes_dataclasses=True,
    pytree_decorators=_DECORATORS,
    pytree_bases=frozenset(f"{module}.Struct" for module in _MODULES),
    static_field_options=(("pytree_node", False),),
)
