"""JAX MD: `@jax_md.dataclasses.dataclass` makes a frozen dataclass and a pytree. The package has no types."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts
from ..knowledge.function_rows import Effect, KnownFunction
from ._library import Declaration, Library, decorator_arguments

_MODULE = "jax_md.dataclasses"
_DECORATORS = frozenset({f"{_MODULE}.dataclass"})


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    """Frozen without `frozen=False`, as in Flax; older releases take no arguments."""
    arguments = decorator_arguments(facts, _DECORATORS)
    if arguments is None:
        return None
    return Declaration(
        frozen=arguments.get("frozen") is not False,
        eq=arguments.get("eq") is not False,
        unsafe_hash=arguments.get("unsafe_hash") is True,
        freeze="declare {} without frozen=False",
        takes_frozen=False,
        is_frozen_at_once=True,
    )


LIBRARY = Library(
    declare=_declare,
    pytree_decorators=_DECORATORS,
    rebuilds_by_constructor=_DECORATORS,
    static_specifiers=frozenset({f"{_MODULE}.static_field"}),
    functions={f"{_MODULE}.replace": KnownFunction(effects=Effect.PASSES_ON | Effect.COPIES)},
)
