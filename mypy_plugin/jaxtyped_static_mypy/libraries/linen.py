"""flax.linen: every `Module` is a dataclass that hashes by value and refuses assignments once it is bound."""

from ..knowledge.type_rows import NEVER, static
from ._library import Declaration, Library, declared_below

_MODULE = "flax.linen.module.Module"

LIBRARY = Library(
    packages=("flax.linen.",),
    declare=declared_below(frozenset({_MODULE}), Declaration(frozen=True, eq=True)),
    value_methods=frozenset({_MODULE}),  # `apply_fn=model.apply` is the idiom
    tracks_mutation=True,
    types={_MODULE: static(NEVER), "flax.linen.module.ModuleBase": static(NEVER)},
)
