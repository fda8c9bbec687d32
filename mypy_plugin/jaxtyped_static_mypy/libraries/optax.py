"""optax: an optimiser is a named tuple of functions, which are new with each call that makes one."""

from collections.abc import Iterator
from typing import Final

from ..knowledge.function_rows import Effect, KnownFunction, New, Result, Updates
from ..knowledge.optimisers import MAKERS
from ..knowledge.type_rows import NEVER, unjudged
from ._library import Library

# Their updates have no weak type, also where the gradients have one (Optax 0.2.8).
STRENGTHENING: Final = """
    adabelief adafactor adam adamax adamaxw adamw adan amsgrad clip_by_global_norm fromage lamb lars nadam nadamw
    novograd optimistic_adam radam scale_by_adam yogi
"""
# As our stubs name them.
_TYPED: Final = {"clip_by_global_norm": "transforms._clipping", "scale_by_adam": "_src.transform"}


# They take a schedule in place of a learning rate, and most of them one for the decay of weights (Optax 0.2.8).
_OF_RATES: Final = """
    adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars lbfgs lion nadam
    nadamw noisy_sgd novograd optimistic_adam_v2 optimistic_gradient_descent radam rmsprop sgd sign_sgd signum yogi
"""
_BY_NAME: Final = 99  # no call has that many arguments
_RATES: Final = ((0, "learning_rate"), (_BY_NAME, "weight_decay"))
_OTHERS: Final = {
    "_src.transform.scale_by_learning_rate": (0, "learning_rate"),
    "_src.transform.scale_by_schedule": (0, "step_size_fn"),
    "schedules._join.join_schedules": (0, "schedules"),
    "transforms._adding.add_decayed_weights": (0, "weight_decay"),
}


def _taking() -> Iterator[tuple[str, tuple[tuple[int, str], ...]]]:
    """The functions that take schedules, by their full names, and where."""
    for name in _OF_RATES.split():
        yield from ((f"optax.{module}{name}", _RATES) for module in ("", "_src.alias."))
    for full, place in _OTHERS.items():
        yield from ((f"optax.{name}", (place,)) for name in (full, full.rpartition(".")[2]))


def _makers() -> dict[str, KnownFunction]:
    plain = dict.fromkeys(sorted(MAKERS), KnownFunction(new=New.OPTIMISER))
    strengthening = KnownFunction(new=New.OPTIMISER, effects=Effect.STRENGTHENS)
    chain = KnownFunction(new=New.OPTIMISER, effects=Effect.CHAINS)
    made = {
        **plain,
        **{f"optax.{name}": strengthening for name in STRENGTHENING.split()},
        **{f"optax.{_TYPED.get(name, '_src.alias')}.{name}": strengthening for name in STRENGTHENING.split()},
        **dict.fromkeys(("optax.chain", "optax.transforms._combining.chain"), chain),
    }
    return {**made, **{name: made.get(name, KnownFunction())._replace(schedules=places) for name, places in _taking()}}


# They make schedules that give another number in each step, as long as they run; the others have few values.
_VARYING: Final = """
    cosine_decay_schedule cosine_onecycle_schedule exponential_decay linear_schedule linear_onecycle_schedule
    polynomial_schedule sgdr_schedule warmup_cosine_decay_schedule warmup_exponential_decay_schedule
"""
_VARIES: Final = KnownFunction(new=New.OPTIMISER, effects=Effect.VARIES)
_OF_SCHEDULES: Final = ("optax", "optax.schedules", "optax.schedules._schedule")

# They return arrays.
_ARRAYS: Final = """
    cosine_distance cosine_similarity ctc_loss global_norm hinge_loss huber_loss kl_divergence l2_loss log_cosh
    safe_norm safe_root_mean_squares safe_softmax_cross_entropy sigmoid_binary_cross_entropy sigmoid_focal_loss
    softmax_cross_entropy softmax_cross_entropy_with_integer_labels squared_error
"""

# They wrap what makes an optimiser.
_FACTORIES: Final = tuple(
    f"{module}.{name}"
    for module in ("optax", "optax.schedules", "optax.schedules._inject")
    for name in ("inject_hyperparams", "inject_stateful_hyperparams")
)

LIBRARY = Library(
    types={
        "optax._src.base.GradientTransformation": unjudged(NEVER),
        "optax._src.base.GradientTransformationExtraArgs": unjudged(NEVER),
    },
    functions={
        **_makers(),
        **{f"{module}.{name}": _VARIES for module in _OF_SCHEDULES for name in _VARYING.split()},
        **dict.fromkeys(
            ("optax.apply_updates", "optax._src.update.apply_updates"), KnownFunction(updates=Updates.TYPED)
        ),
        **dict.fromkeys(_FACTORIES, KnownFunction(new=New.OPTIMISER_FACTORY)),
        **dict.fromkeys((f"optax.{name}" for name in _ARRAYS.split()), KnownFunction(result=Result.TRACED)),
    },
    factories=(("optax.", New.OPTIMISER),),
)
