"""Names that decide what changes an object, and what no tracer comes out of. Data only."""

from typing import Final

from ...knowledge.type_rows import Trait
from ...libraries import types_with

_CHANGING: Final = """
    add append appendleft clear discard extend extendleft insert move_to_end pop popitem popleft remove reverse
    setdefault sort update
"""
_ATTRIBUTES: Final = """
    __class__ __doc__ __module__ __name__ aval dtype itemsize name nbytes ndim shape sharding size weak_type
"""
_BUILTINS: Final = """
    bool callable dir float format hasattr hash id int isinstance issubclass len print range repr str type
"""
_LOOKING: Final = "callable getattr hasattr id isinstance len print repr str type"

# Methods of lists, dicts and sets that change them, where nothing is done with their result.
CHANGING_METHODS: Final = frozenset(_CHANGING.split())
# Those that tell by their name what they do, of whatever object; with and without those of dicts.
SEQUENCE_METHODS: Final = frozenset({"append", "appendleft", "extend", "extendleft", "insert"})
TELLING_METHODS: Final = SEQUENCE_METHODS | {"pop", "popitem", "popleft", "setdefault"}
MUTABLE_CONTAINERS: Final = types_with(Trait.CHANGED)

# Of a tracer, or of anything that holds one.
CONCRETE_ATTRIBUTES: Final = frozenset(_ATTRIBUTES.split())
CONCRETE_METHODS: Final = frozenset({"format", "get_shape", "keys"})
CONCRETE_BUILTINS: Final = frozenset(f"builtins.{name}" for name in _BUILTINS.split())
CONCRETE_TREE_FUNCTIONS: Final = frozenset(
    {"tree.structure", "tree_util.tree_structure", "tree_util.treedef_tuple", "tree_util.keystr", "core.get_aval"}
)
CONCRETE_TYPES: Final = types_with(Trait.CONCRETE)

# Functions that look at their argument and keep nothing of it.
LOOKING_FUNCTIONS: Final = frozenset(f"builtins.{name}" for name in _LOOKING.split())

# Functions of jax that make an array that can be written to, and those that run a function outside of the program.
MAKING_REFS: Final = frozenset({"array_ref", "empty_ref", "mutable_array", "new_ref"})
CALLING_THE_HOST: Final = frozenset({"call", "callback", "debug_callback", "id_tap", "io_callback", "pure_callback"})
