"""How a class that is no pytree yet becomes one."""

from mypy.nodes import TypeInfo


def registration(info: TypeInfo) -> str:
    """The decorator to write above it."""
    if "dataclass" in info.metadata:
        return "@jax.tree_util.register_dataclass"
    return "@jax.tree_util.register_pytree_node_class, with tree_flatten and tree_unflatten"
