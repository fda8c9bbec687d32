"""Our own `dynamic_dataclass`: a frozen dataclass and a pytree, whose static fields are those marked `Static[...]`."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts
from ._library import Declaration, Library, decorator_arguments

_DECORATORS = frozenset({"jaxtyped_static.dynamic_dataclass", "jaxtyped_static._dynamic_dataclass.dynamic_dataclass"})


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    arguments = decorator_arguments(facts, _DECORATORS)
    if arguments is None:
        return None
    return Declaration(frozen=True, eq=arguments.get("eq") is not False)


LIBRARY = Library(declare=_declare, pytree_decorators=_DECORATORS)
