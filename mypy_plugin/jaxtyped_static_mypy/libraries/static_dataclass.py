"""Our own `static_dataclass`: frozen, compared by value, and a pytree without leaves."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts
from ._library import Declaration, Library, decorator_arguments

_DECORATORS = frozenset({"jaxtyped_static.static_dataclass", "jaxtyped_static._static_dataclass.static_dataclass"})


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    if decorator_arguments(facts, _DECORATORS) is None:
        return None
    return Declaration(frozen=True, eq=True)


LIBRARY = Library(declare=_declare, static_decorators=_DECORATORS)
