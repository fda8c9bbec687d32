"""chex: `@chex.dataclass` makes a dataclass and a pytree, which mypy cannot see: chex has no types."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts
from ..knowledge.function_rows import SAME_FUNCTION
from ..knowledge.type_rows import LEAF, unjudged
from ._library import Declaration, Library, decorator_arguments

_DECORATORS = frozenset({"chex.dataclass", "chex._src.dataclass.dataclass"})


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    arguments = decorator_arguments(facts, _DECORATORS)
    if arguments is None:
        return None
    return Declaration(
        frozen=arguments.get("frozen", False) is not False,
        eq=arguments.get("eq") is not False,
        unsafe_hash=arguments.get("unsafe_hash") is True,
        freeze="declare {} @chex.dataclass(frozen=True)",
    )


# Check what a function computes, or how often it is traced, and pass its calls on.
_PASSING = (
    *("chex.chexify", "chex._src.asserts_chexify.chexify"),
    *("chex.assert_max_traces", "chex._src.asserts.assert_max_traces"),
)

# Unions of arrays, and of arrays and numbers. Without jaxtyped-static-stubs, mypy sees no more
# of them than their names.
_ARRAYS = tuple(
    f"{module}.{name}" for module in ("chex", "chex._src.pytypes") for name in ("Array", "Numeric", "PRNGKey")
)

LIBRARY = Library(
    declare=_declare,
    makes_dataclasses=True,
    pytree_decorators=_DECORATORS,
    rebuilds_by_constructor=_DECORATORS,
    aliases=dict.fromkeys(_ARRAYS, unjudged(LEAF)),
    functions=dict.fromkeys(_PASSING, SAME_FUNCTION),
)
