"""flax.linen: every `Module` is a dataclass that hashes by value and refuses assignments once it is bound."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts
from ..knowledge.type_rows import NEVER, static
from ._library import Declaration, Library

_MODULE = "flax.linen.module.Module"


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    if not any(base.fullname == _MODULE for base in info.mro):
        return None
    return Declaration(frozen=True, eq=True)


LIBRARY = Library(
    packages=("flax.linen.",),
    declare=_declare,
    value_methods=frozenset({_MODULE}),  # `apply_fn=model.apply` is the idiom
    tracks_mutation=True,
    types={_MODULE: static(NEVER), "flax.linen.module.ModuleBase": static(NEVER)},
)
