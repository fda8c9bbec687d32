"""JAX's own registrations, as decorators or as calls after the class. Its functions and types are in `knowledge`."""

from ._library import Library

_MODULES = ("jax._src.tree_util", "jax.tree_util")

LIBRARY = Library(
    pytree_decorators=frozenset(
        f"{module}.{name}"
        for module in _MODULES
        for name in (
            "register_dataclass",
            "register_pytree_node",
            "register_pytree_node_class",
            "register_pytree_with_keys",
            "register_pytree_with_keys_class",
        )
    ),
    rebuilds_by_constructor=frozenset(f"{module}.register_dataclass" for module in _MODULES),
    static_decorators=frozenset(f"{module}.register_static" for module in _MODULES),
    static_field_options=(("static", True),),
    static_specifiers=frozenset({"jax._src.tree.static", "jax.tree.static"}),
)
