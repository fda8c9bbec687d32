"""flax.struct: its classes are pytrees, and frozen by default; `field(pytree_node=False)` is static."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts
from ..knowledge.function_rows import Effect, KnownFunction, Updates
from ..knowledge.type_rows import TREE, Trait, container
from ._library import Declaration, Library, decorator_arguments

_DATACLASS = frozenset({"flax.struct.dataclass"})
_NODE = "flax.struct.PyTreeNode"


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    """Frozen without `frozen=False`, in the decorator or the class statement."""
    arguments = decorator_arguments(facts, _DATACLASS)
    if arguments is None and any(base.fullname == _NODE for base in info.mro):
        arguments = dict(facts.get("keywords", ()))
    if arguments is None:
        return None
    return Declaration(
        frozen=arguments.get("frozen") is not False,
        eq=arguments.get("eq") is not False,
        freeze="declare {} without frozen=False",
        takes_frozen=False,
        is_frozen_at_once=True,
    )


LIBRARY = Library(
    declare=_declare,
    makes_dataclasses=True,
    pytree_decorators=_DATACLASS,
    pytree_bases=frozenset({_NODE}),
    rebuilds_by_constructor=_DATACLASS | {_NODE},
    static_field_options=(("pytree_node", False),),
    makers=frozenset({"flax.training.train_state.TrainState.create"}),
    functions={
        "flax.struct.PyTreeNode.replace": KnownFunction(effects=Effect.COPIES),
        "flax.training.train_state.TrainState.apply_gradients": KnownFunction(
            effects=Effect.COPIES, updates=Updates.OF_STATE
        ),
    },
    types={"flax.core.frozen_dict.FrozenDict": container(TREE, Trait.MAPPING | Trait.HOLDS | Trait.LOOKED_UP)},
)
