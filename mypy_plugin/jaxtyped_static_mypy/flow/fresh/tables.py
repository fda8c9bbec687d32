"""Functions known by name: what they return is new with every call, or is made of what they are given."""

from typing import Final

from .reading import FreshKind

_FACTORIES: Final = """
    jax._src.api.grad jax._src.api.value_and_grad jax._src.api.vmap jax._src.api.jit jax._src.api.jacfwd
    jax._src.api.jacrev jax._src.api.jacobian jax._src.api.hessian jax._src.api.linearize jax._src.api.vjp
    jax._src.api.linear_transpose jax._src.api.fwd_and_bwd jax._src.api.named_call jax._src.api.make_jaxpr
    jax._src.api.pmap jax._src.pmap.pmap jax._src.pjit.pjit jax._src.shard_map.shard_map
    jax._src.ad_checkpoint.checkpoint jax._src.ad_checkpoint.remat
    jax._src.custom_derivatives.custom_vjp jax._src.custom_derivatives.custom_jvp
    jax._src.custom_derivatives.custom_gradient jax._src.custom_derivatives.closure_convert
    jax._src.custom_batching.custom_vmap jax._src.checkify.checkify
    jax.numpy.vectorize jax._src.numpy.vectorize.vectorize jax.numpy.frompyfunc jax._src.numpy.ufunc_api.frompyfunc
    jaxtyped_static.jit jaxtyped_static.jitted jaxtyped_static._jit.jit jaxtyped_static._jit.jitted
    flax.nnx.transforms.compilation.jit flax.nnx.transforms.autodiff.grad flax.nnx.transforms.autodiff.value_and_grad
    flax.nnx.transforms.iteration.vmap flax.nnx.transforms.iteration.scan flax.nnx.transforms.autodiff.remat
    numpy.vectorize numpy.lib._function_base_impl.vectorize numpy.lib.function_base.vectorize
    numpy.frompyfunc numpy._core.multiarray.frompyfunc
    operator.itemgetter operator.attrgetter operator.methodcaller
    functools.cache functools.lru_cache functools.partialmethod functools.cmp_to_key functools.singledispatch
    types.MethodType types.FunctionType
"""

# As `import optax` names them, where nothing tells their types.
_OPTIMISERS: Final = """
    adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars lbfgs lion nadam
    nadamw noisy_sgd novograd optimistic_adam optimistic_gradient_descent polyak_sgd radam rmsprop rprop sgd sign_sgd
    sm3 yogi
    chain named_chain masked multi_transform partition MultiSteps apply_if_finite maybe_update inject_hyperparams
    lookahead clip clip_by_global_norm adaptive_grad_clip scale scale_by_adam scale_by_schedule scale_by_learning_rate
    add_decayed_weights add_noise trace ema centralize identity set_to_zero keep_params_nonnegative zero_nans
    constant_schedule cosine_decay_schedule cosine_onecycle_schedule exponential_decay join_schedules linear_schedule
    linear_onecycle_schedule piecewise_constant_schedule piecewise_interpolate_schedule polynomial_schedule
    sgdr_schedule warmup_constant_schedule warmup_cosine_decay_schedule warmup_exponential_decay_schedule
"""

FRESH: Final[dict[str, FreshKind]] = {
    "functools.partial": FreshKind.PARTIAL,
    "jax._src.tree_util.Partial": FreshKind.TREE_PARTIAL,
    **dict.fromkeys(_FACTORIES.split(), FreshKind.FACTORY),
    **dict.fromkeys((f"optax.{name}" for name in _OPTIMISERS.split()), FreshKind.OPTIMISER),
}

# Packages all of whose functions that return a callable make a new one.
FRESH_PACKAGES: Final[tuple[tuple[str, FreshKind], ...]] = (
    ("optax.", FreshKind.OPTIMISER),
    ("jax._src.nn.initializers.", FreshKind.FACTORY),
    ("jax.example_libraries.", FreshKind.FACTORY),
)

MEMOISING: Final = frozenset({"functools.cache", "functools.lru_cache"})
MEMOISED: Final = "functools._lru_cache_wrapper"

# Functions that compile nothing of their own, so that what they decorate runs, or is traced, with each call.
TRACED_EACH_TIME: Final = frozenset(
    {"jax._src.custom_derivatives.custom_vjp", "jax._src.custom_derivatives.custom_jvp"}
)

# Decorators under which a call still gives what the function returns.
TRANSPARENT_DECORATORS: Final = frozenset(
    {
        "builtins.classmethod",
        "builtins.staticmethod",
        "typing.final",
        "typing.no_type_check",
        "typing.override",
        "typing_extensions.deprecated",
        "typing_extensions.final",
        "typing_extensions.override",
        "warnings.deprecated",
    }
)

# Calls whose result holds, or is, what is passed.
PASSES_ON: Final = frozenset(
    {
        "builtins.dict",
        "builtins.enumerate",
        "builtins.frozenset",
        "builtins.iter",
        "builtins.list",
        "builtins.next",
        "builtins.reversed",
        "builtins.set",
        "builtins.sorted",
        "builtins.staticmethod",
        "builtins.tuple",
        "builtins.zip",
        "dataclasses.replace",
        "immutabledict.immutabledict",
        "typing.cast",
        "typing_extensions.cast",
    }
)

# Methods of containers that give what the container holds, or a default that they are given.
_TABLES: Final = ("builtins.dict", "builtins.list", "builtins.tuple", "collections.OrderedDict", "typing.Mapping")
ELEMENT_METHODS: Final = frozenset(
    f"{table}.{name}"
    for table in (*_TABLES, "immutabledict.immutabledict")
    for name in ("get", "pop", "setdefault", "items", "values", "keys", "copy", "__getitem__")
)
