"""jax_dataclasses: `@pytree_dataclass` makes a frozen dataclass and a pytree; its `Static[...]` means what ours means.

To type checkers, `pytree_dataclass` is `dataclasses.dataclass`, so it is known by the name under which it is imported.
Such names, and those of the marker, are needed in every program, and stand in `knowledge/full_names.py`.
"""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts
from ._library import Declaration, Library, decorator_arguments

_DECORATORS = frozenset({"jax_dataclasses.pytree_dataclass", "jax_dataclasses._dataclasses.pytree_dataclass"})


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    arguments = decorator_arguments(facts, _DECORATORS)
    if arguments is None:
        return None
    return Declaration(frozen=True, eq=arguments.get("eq") is not False)


LIBRARY = Library(
    declare=_declare,
    pytree_decorators=_DECORATORS,
    static_field_options=(("__jax_dataclasses_static_field__", True),),
    static_specifiers=frozenset(
        {"jax_dataclasses.static_field", "jax_dataclasses._dataclasses.deprecated_static_field"}
    ),
)
