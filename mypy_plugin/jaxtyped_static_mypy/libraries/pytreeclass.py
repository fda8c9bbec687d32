"""pytreeclass, and sepes, its successor: a `TreeClass` is a frozen pytree, compared and hashed by its leaves.

All its attributes are leaves, unless callbacks of a field wrap them (`on_setattr=[freeze]`). Neither package has types.
"""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts, facts_of
from ._library import Declaration, Library

_MODULES = ("pytreeclass", "pytreeclass._src.tree_base", "sepes", "sepes._src.tree_base")
_BASES = frozenset(f"{module}.TreeClass" for module in _MODULES)


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    names = {name for base in info.mro for name in (base.fullname, *facts_of(base).get("unknown_bases", ()))}
    if names.isdisjoint(_BASES):
        return None
    return Declaration(frozen=True, eq=True, takes_frozen=False, is_its_leaves=True)


LIBRARY = Library(
    declare=_declare,
    pytree_bases=_BASES,
    # Lists of functions, which are not read: a field with some may be static.
    static_field_options=(("callbacks", True), ("on_getattr", True), ("on_setattr", True)),
)
