"""How a class that is no pytree yet becomes one."""

from mypy.nodes import TypeInfo

from .roles import is_declared_static


def registration(info: TypeInfo) -> str:
    """The decorator to write above it."""
    if is_declared_static(info, frozenset()):
        return "@jax.tree_util.register_static"
    if "dataclass" in info.metadata:
        return "@jax.tree_util.register_dataclass"
    return "@jax.tree_util.register_pytree_node_class, with tree_flatten and tree_unflatten"
