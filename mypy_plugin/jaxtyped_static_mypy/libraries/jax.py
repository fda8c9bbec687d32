"""JAX's own registrations, as decorators or as calls after the class. Its functions and types are in `knowledge`."""

from collections.abc import Mapping
from typing import Final

from ._library import Library

_MODULES = ("jax._src.tree_util", "jax.tree_util")
# Register a class that has the methods, and whether the one that flattens returns keys, too.
CLASS_REGISTRATIONS: Final[Mapping[str, bool]] = {
    f"{module}.{name}": with_keys
    for module in _MODULES
    for name, with_keys in (("register_pytree_node_class", False), ("register_pytree_with_keys_class", True))
}
# Register a class with two functions: the names of the parameters after the class.
FUNCTION_REGISTRATIONS: Final[Mapping[str, tuple[str, str]]] = {
    f"{module}.{name}": (flatten, "unflatten_func")
    for module in _MODULES
    for name, flatten in (
        ("register_pytree_node", "flatten_func"),
        ("register_pytree_with_keys", "flatten_with_keys"),
    )
}

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
