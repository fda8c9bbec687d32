"""Flax: `flax.struct` classes and NNX modules are pytrees; `field(pytree_node=False)` is a static field."""

from ._library import Library

LIBRARY = Library(
    pytree_decorators=frozenset({"flax.struct.dataclass", "flax.nnx.pytreelib.dataclass"}),
    pytree_bases=frozenset(
        {
            "flax.struct.PyTreeNode",
            "flax.nnx.module.Module",
            "flax.nnx.object.Object",
            "flax.nnx.pytreelib.Pytree",
        }
    ),
    static_field_options=(("pytree_node", False), ("static", True)),
)
