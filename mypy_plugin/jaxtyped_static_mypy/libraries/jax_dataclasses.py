"""jax_dataclasses: `@pytree_dataclass` makes a frozen dataclass and a pytree; its `Static[...]` means what ours means.

To type checkers, `pytree_dataclass` is `dataclasses.dataclass`, so it is known by the name under which it is imported.
Such names, and those of the marker, are needed in every program, and stand in `knowledge/full_names.py`.
"""

from ._library import Declaration, Library, declared_by

_DECORATORS = frozenset({"jax_dataclasses.pytree_dataclass", "jax_dataclasses._dataclasses.pytree_dataclass"})

LIBRARY = Library(
    declare=declared_by(_DECORATORS, Declaration(frozen=True, eq=True, is_frozen_at_once=True)),
    makes_dataclasses=True,
    pytree_decorators=_DECORATORS,
    rebuilds_by_constructor=_DECORATORS,
    static_field_options=(("__jax_dataclasses_static_field__", True),),
    static_specifiers=frozenset(
        {"jax_dataclasses.static_field", "jax_dataclasses._dataclasses.deprecated_static_field"}
    ),
)
