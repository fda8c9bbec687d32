"""Flax NNX: modules are mutable pytrees; `nnx.static(...)` declares a static field."""

from ..knowledge.function_rows import NEW_FUNCTION, Derives, EagerFunction, Effect, KnownFunction, New
from ..knowledge.jax_functions import COMPILER
from ..knowledge.type_rows import NEVER, KnownType, Trait, static
from ._library import Declaration, Library, declared_below

_BASES = frozenset({"flax.nnx.pytreelib.Pytree", "flax.nnx.module.Module", "flax.nnx.object.Object"})

# Compared by identity, unless `nnx.dataclass` makes it a dataclass: then `dataclasses` declares it.
_MODULE = Declaration(frozen=False, eq=False, freeze="pass it as a dynamic argument", takes_frozen=False)

_METRICS = ("Metric", "Average", "Accuracy", "Welford", "MultiMetric")

# They refuse objects of another trace. Measured with Flax 0.12.8; without a row: `pop`, `train`, `eval` and what only
# sometimes draws or counts, such as a dropout layer.
_UPDATES = KnownFunction(effects=Effect.UPDATES_OBJECT)
_UPDATING = (
    *("graphlib.update", "graph.update", "update", "variablelib.Variable.set_value"),
    *("training.optimizer.Optimizer.update", "training.optimizer.ModelAndOptimizer.update"),
    *(f"training.metrics.{name}.{method}" for name in _METRICS for method in ("update", "reset")),
    *(f"rnglib.Rngs.{method}" for method in ("__call__", "__getattr__", "split", "fork")),
    *("rnglib.RngStream.__call__", "rnglib.RngStream.split", "rnglib.RngStream.fork"),
)

# What they make of a function takes the objects that it gets apart, and refuses those of another trace (0.12.8), unless
# an option says to leave objects alone.
_REFUSES = Effect.REFUSES_CAPTURED
_GRADIENT = NEW_FUNCTION._replace(derives=Derives.GRADIENT, effects=_REFUSES)
_VALUE_AND_GRADIENT = NEW_FUNCTION._replace(derives=Derives.VALUE_AND_GRADIENT, effects=_REFUSES)

# They wrap what they are given in a function of their own. Measured with Flax 0.12.8: each call compiles once outside
# of jit, and a kept result of `scan` never again; `vmap`, `grad` and `remat` do not. `while_loop` and `fori_loop` do,
# too, but a decorator without types hides them from mypy.
_ALWAYS = EagerFunction((), is_always=True)

LIBRARY = Library(
    packages=("flax.nnx.",),
    declare=declared_below(_BASES, _MODULE),
    pytree_bases=_BASES,
    static_specifiers=frozenset({"flax.nnx.pytreelib.static", "flax.nnx.static"}),
    callable_trees=("nnx", "flax.nnx"),
    has_layers=True,
    tracks_mutation=True,
    lifts_objects="nnx",
    types={
        "flax.nnx.variablelib.Variable": KnownType(traits=Trait.CELL),
        "flax.nnx.transforms.compilation.JitWrapped": static(NEVER, Trait.COMPILED),
    },
    functions={
        **{f"flax.nnx.{name}": _UPDATES for name in _UPDATING},
        "flax.nnx.transforms.compilation.jit": KnownFunction(
            compiles=COMPILER._replace(keeps_signature=True, lifts_object=True), new=New.FUNCTION, effects=_REFUSES
        ),
        "flax.nnx.transforms.autodiff.grad": _GRADIENT,
        "flax.nnx.transforms.autodiff.remat": NEW_FUNCTION._replace(effects=_REFUSES),
        "flax.nnx.transforms.autodiff.value_and_grad": _VALUE_AND_GRADIENT,
        "flax.nnx.transforms.iteration.scan": NEW_FUNCTION._replace(eager=_ALWAYS._replace(makes=True)),
        "flax.nnx.transforms.transforms.cond": KnownFunction(eager=_ALWAYS._replace(chooses=True)),
        "flax.nnx.transforms.transforms.switch": KnownFunction(eager=_ALWAYS._replace(chooses=True)),
        "flax.nnx.transforms.iteration.vmap": NEW_FUNCTION._replace(effects=_REFUSES),
    },
)
