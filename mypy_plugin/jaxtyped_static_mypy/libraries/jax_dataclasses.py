"""jax_dataclasses: `@pytree_dataclass` is a frozen dataclass and a pytree; its `Static[...]` is read as ours is."""

from ._library import Library

LIBRARY = Library(
    pytree_decorators=frozenset({"jax_dataclasses.pytree_dataclass", "jax_dataclasses._dataclasses.pytree_dataclass"}),
    static_field_options=(("static", True),),
)
