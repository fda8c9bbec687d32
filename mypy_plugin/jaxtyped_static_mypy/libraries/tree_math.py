"""tree_math: `@struct` makes a dataclass that is a pytree, and computes like a vector. The package has no types."""

from ._library import Declaration, Library, declared_by

_DECORATORS = frozenset({"tree_math.struct", "tree_math._src.structs.struct"})

# Its `==` compares leaf by leaf, and it has no hash, even below a class that has both.
_STRUCT = Declaration(frozen=False, eq=True, freeze="pass it as a dynamic argument", takes_frozen=False)

LIBRARY = Library(
    declare=declared_by(_DECORATORS, _STRUCT),
    pytree_decorators=_DECORATORS,
    rebuilds_by_constructor=_DECORATORS,
)
