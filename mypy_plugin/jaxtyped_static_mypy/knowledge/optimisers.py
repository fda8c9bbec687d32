"""What makes an optimiser, or a part of one, as `import optax` names it, where nothing tells its type."""

from typing import Final

_NAMES: Final = """
    adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars lbfgs lion nadam
    nadamw noisy_sgd novograd optimistic_adam optimistic_gradient_descent polyak_sgd radam rmsprop rprop sgd sign_sgd
    sm3 yogi
    chain named_chain masked multi_transform partition MultiSteps apply_if_finite maybe_update lookahead
    clip clip_by_global_norm adaptive_grad_clip scale scale_by_adam scale_by_schedule scale_by_learning_rate
    add_decayed_weights add_noise trace ema centralize identity set_to_zero keep_params_nonnegative zero_nans
    constant_schedule cosine_decay_schedule cosine_onecycle_schedule exponential_decay join_schedules linear_schedule
    linear_onecycle_schedule piecewise_constant_schedule piecewise_interpolate_schedule polynomial_schedule
    sgdr_schedule warmup_constant_schedule warmup_cosine_decay_schedule warmup_exponential_decay_schedule
"""
MAKERS: Final = frozenset(f"optax.{name}" for name in _NAMES.split())
