"""JAX's own registrations."""

from ._library import Library

_TREE = "jax._src.tree_util"

LIBRARY = Library(
    pytree_decorators=frozenset(
        f"{module}.{name}"
        for module in (_TREE, "jax.tree_util")
        for name in ("register_dataclass", "register_pytree_node_class", "register_pytree_with_keys_class")
    ),
    static_decorators=frozenset({f"{_TREE}.register_static", "jax.tree_util.register_static"}),
    static_field_options=(("static", True),),
)
