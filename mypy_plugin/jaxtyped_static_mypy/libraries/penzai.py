"""penzai: `@pz.pytree_dataclass` makes a frozen dataclass, and a pytree with the base `pz.Struct`. It has no types."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts
from ._library import Declaration, Library, decorator_arguments

_MODULES = ("penzai.pz", "penzai.core.struct")
_DECORATORS = frozenset(f"{module}.pytree_dataclass" for module in _MODULES)


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    arguments = decorator_arguments(facts, _DECORATORS)
    if arguments is None:
        return None
    return Declaration(frozen=True, eq=arguments.get("eq") is not False)


LIBRARY = Library(
    declare=_declare,
    pytree_decorators=_DECORATORS,
    pytree_bases=frozenset(f"{module}.Struct" for module in _MODULES),
    static_field_options=(("pytree_node", False),),
)
