"""simple_pytree: a `Pytree` is frozen without `mutable=True`, and compared by identity unless it is a dataclass.

The package has no types.
"""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts, facts_of
from ._library import Declaration, Library

_BASES = frozenset({"simple_pytree.Pytree", "simple_pytree.pytree.Pytree"})
_FIELDS = ("simple_pytree", "simple_pytree.dataclass")


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    names = {name for base in info.mro for name in (base.fullname, *facts_of(base).get("unknown_bases", ()))}
    if names.isdisjoint(_BASES):
        return None
    mutable = facts.get("keywords", {}).get("mutable") is True
    is_dataclass = "dataclass" in info.metadata
    return Declaration(
        frozen=not mutable, eq=is_dataclass, freeze="declare {} without mutable=True", takes_frozen=False
    )


LIBRARY = Library(
    declare=_declare,
    pytree_bases=_BASES,
    static_field_options=(("pytree_node", False),),
    static_specifiers=frozenset(f"{module}.static_field" for module in _FIELDS),
)
