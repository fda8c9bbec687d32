"""flax.linen: every `Module` is a dataclass that hashes by value and refuses assignments once it is bound."""

from typing import Final

from ..knowledge.full_names import LINEN_MODULE
from ..knowledge.function_rows import SAME_FUNCTION
from ..knowledge.type_rows import NEVER, static
from ._library import Declaration, Library, declared_below

_SAME: Final = ("compact", "nowrap")

LIBRARY = Library(
    packages=("flax.linen.",),
    declare=declared_below(frozenset({LINEN_MODULE}), Declaration(frozen=True, eq=True)),
    makes_dataclasses=True,
    value_methods=frozenset({LINEN_MODULE}),  # `apply_fn=model.apply` is the idiom
    tracks_mutation=True,
    functions={f"flax.linen.{name}": SAME_FUNCTION for named in _SAME for name in (named, f"module.{named}")},
    types={LINEN_MODULE: static(NEVER), "flax.linen.module.ModuleBase": static(NEVER)},
)
