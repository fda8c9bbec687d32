from jax._src.tree_util import register_dataclass as register_dataclass
from jax._src.tree_util import register_pytree_node as register_pytree_node
from jax._src.tree_util import register_pytree_node_class as register_pytree_node_class
from jax._src.tree_util import register_static as register_static
