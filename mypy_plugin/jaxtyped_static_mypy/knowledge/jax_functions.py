"""JAX's functions, a row each, keyed by `jax_name`: the private modules that define them differ between releases."""

from functools import cache
from typing import Final

from .concrete_parameters import CONCRETE_NUMBERS, CONCRETE_PARAMETERS
from .full_names import JAX
from .function_rows import (
    NEW_FUNCTION,
    NO_ROW,
    SAME_FUNCTION,
    Calls,
    Derives,
    Effect,
    FunctionTable,
    JitFunction,
    KnownFunction,
    New,
    Receives,
    Result,
    sized_by,
    takes_shape,
)

_FUN: Final = ((0, "fun"),)
_F: Final = ((0, "f"),)

COMPILER: Final = JitFunction("static_argnames", "static_argnums", "donate_argnames", "donate_argnums", traces_all=True)
JAX_JIT: Final = COMPILER._replace(keeps_signature=True)

# The tracers of differentiation have values.
_BY_ARGNUMS: Final = KnownFunction(
    calls=Calls(_FUN, Receives.ARGNUMS, stages=False, keeps_values=True),
    derives=Derives.JACOBIAN,
    new=New.FUNCTION,
    effects=Effect.WRAPS,
)
_BY_PRIMALS: Final = Calls(_FUN, Receives.ALL, stages=False, keeps_values=True)
_KERNEL: Final = Calls(((0, "body"),), Receives.ALL, gives_refs=True)
_PMAP: Final = KnownFunction(
    compiles=JitFunction(nums_option="static_broadcasted_argnums", traces_all=True, maps=True),
    calls=Calls(_FUN, Receives.NOT_BROADCAST),
    new=New.FUNCTION,
)
_CHECKPOINT: Final = KnownFunction(
    compiles=JitFunction(
        nums_option="static_argnums", ignored_option="static_argnames", traces_all=True, compiles=False
    ),
    calls=Calls(_FUN, Receives.NOT_STATIC),
    new=New.FUNCTION,
    effects=Effect.WRAPS,
)

_VECTORIZE: Final = KnownFunction(new=New.FUNCTION, retraces=("excluded",))
_NAMING: Final = KnownFunction(new=New.FUNCTION, effects=Effect.SAME_FUNCTION)

# Releases of JAX define these in different areas.
_HOST_CALLBACKS: Final = """
    api.pure_callback callback.io_callback callback.pure_callback debug.callback debugging.callback
    debugging.debug_callback experimental.call experimental.id_tap experimental.io_callback
"""
_SCALARS: Final = """
    bfloat16 bool_ complex64 complex128 float_ float16 float32 float64 int_ int2 int4 int8 int16 int32 int64 uint uint2
    uint4 uint8 uint16 uint32 uint64
"""
_NEW_REFS: Final = """
    api.array_ref api.empty_ref api.mutable_array api.new_ref core.empty_ref core.mutable_array core.new_ref
    ref.array_ref ref.empty_ref ref.new_ref
"""
_ONLY_RETURNING: Final = """
    lax.dynamic_update_index_in_dim lax.dynamic_update_slice lax.dynamic_update_slice_in_dim lax.scatter
    lax.scatter_add lax.scatter_max lax.scatter_min lax.scatter_mul
"""
_CONCRETE: Final = """
    api.device_get api.devices api.local_devices core.get_aval lax.broadcast_shapes lax.conv_dimension_numbers
    numpy.broadcast_shapes numpy.can_cast numpy.dtype numpy.einsum_path numpy.finfo numpy.iinfo
    numpy.iscomplexobj numpy.isdtype numpy.isrealobj numpy.isscalar numpy.issubdtype numpy.ndim numpy.promote_types
    numpy.result_type numpy.shape numpy.size random.key_impl tree.structure tree_util.keystr tree_util.tree_structure
    tree_util.treedef_tuple
"""
_OF_TREES: Final = "tree.map tree.map_with_path tree_util.tree_map tree_util.tree_map_with_path"
# Each has the parameter `shape`.
_DISTRIBUTIONS: Final = """
    ball bernoulli beta binomial bits categorical cauchy chisquare choice dirichlet double_sided_maxwell exponential f
    gamma generalized_normal geometric gumbel laplace loggamma logistic lognormal maxwell multivariate_normal normal
    orthogonal pareto poisson rademacher randint rayleigh t triangular truncated_normal uniform wald weibull_min
"""
_MASKS: Final = """
    equal greater greater_equal isclose isfinite isin isinf isnan isneginf isposinf less less_equal logical_and
    logical_not logical_or logical_xor not_equal signbit
"""
# Each takes an array first, and no pytree.
_OF_ARRAYS: Final = """
    abs absolute add all any arccos arcsin arctan arctan2 argmax argmin argsort array asarray atleast_1d atleast_2d
    broadcast_to ceil clip cos cosh cross cumprod cumsum diag diff divide dot exp expand_dims expm1 flip floor inner
    isfinite isinf isnan log log1p logical_not matmul max maximum mean median min minimum moveaxis multiply negative
    norm outer power prod ravel repeat reshape roll round sign sin sinh sort sqrt square squeeze std subtract sum
    swapaxes take tan tanh tile trace transpose var vdot where
"""
# Of these, those that nobody calls for a plain number.
_OF_DIMENSIONS: Final = """
    argmax argmin argsort cross cumprod cumsum diag diff dot inner matmul mean median moveaxis norm outer prod ravel
    repeat reshape roll sort squeeze std sum swapaxes take tile trace transpose var vdot
"""
_OF_KEYS: Final = ("clone", "fold_in", "key_data", "permutation", "shuffle", "split")

# Functions that raise if their first argument is neither an array, a number, nor a sequence of these.
TAKES_ARRAY: Final = frozenset(
    [f"numpy.{name}" for name in _OF_ARRAYS.split()]
    + [f"random.{name}" for name in (*_OF_KEYS, *_DISTRIBUTIONS.split())]
)
TAKES_DIMENSIONS: Final = frozenset(f"numpy.{name}" for name in _OF_DIMENSIONS.split())
_SELECTS: Final = "numpy.where"  # with a condition alone, it returns a tuple
TAKES_LIST: Final = frozenset({"numpy.array", "numpy.asarray"})  # those of them that take a sequence of arrays


def _concrete(name: str, *others: str) -> KnownFunction:
    """The row of a function of which some parameters have to be concrete."""
    shapes = CONCRETE_PARAMETERS.get(name, frozenset()).union(others)
    return KnownFunction(shapes=shapes, numbers=CONCRETE_NUMBERS.get(name, frozenset()))


JAX_FUNCTIONS: Final[FunctionTable] = {
    # transformations
    "api.jit": KnownFunction(compiles=JAX_JIT, new=New.FUNCTION),
    "pjit.pjit": KnownFunction(compiles=COMPILER, new=New.FUNCTION),
    "api.pmap": _PMAP,
    "pmap.pmap": _PMAP,
    "ad_checkpoint.checkpoint": _CHECKPOINT,
    "ad_checkpoint.remat": _CHECKPOINT,
    # JAX 0.10.2 hashes and compares no `nondiff_argnums`, below jit, grad, vmap and scan either. It refuses tracers.
    "custom_derivatives.custom_vjp": KnownFunction(
        compiles=JitFunction("nondiff_argnames", "nondiff_argnums", is_key=False, compiles=False),
        new=New.FUNCTION,
        retraces=("nondiff_argnums", "nondiff_argnames"),
        effects=Effect.TRACED_EACH_TIME | Effect.FILLS_DEFAULTS | Effect.TAKES_RULES,
    ),
    # Its `nondiff_argnums` may even be traced; with `custom_vjp` that raises an `UnexpectedTracerError` (JAX 0.10.2).
    "custom_derivatives.custom_jvp": KnownFunction(
        compiles=JitFunction(compiles=False),
        new=New.FUNCTION,
        retraces=("nondiff_argnums", "nondiff_argnames"),
        effects=Effect.TRACED_EACH_TIME | Effect.FILLS_DEFAULTS | Effect.TAKES_RULES,
    ),
    "api.vmap": KnownFunction(
        calls=Calls(_FUN, Receives.IN_AXES, stages=False), new=New.FUNCTION, effects=Effect.WRAPS
    ),
    "shard_map.shard_map": KnownFunction(calls=Calls(_F, Receives.ALL), new=New.FUNCTION),
    "pallas.pallas_call": KnownFunction(calls=_KERNEL._replace(callbacks=((0, "kernel"),)), new=New.FUNCTION),
    "pallas.kernel": KnownFunction(calls=_KERNEL),
    "pallas.emit_pipeline": KnownFunction(calls=_KERNEL),
    "pallas.run_scoped": KnownFunction(calls=_KERNEL._replace(callbacks=_F)),
    "pallas.program_id": KnownFunction(result=Result.TRACED),
    "api.grad": _BY_ARGNUMS._replace(derives=Derives.GRADIENT),
    "api.value_and_grad": _BY_ARGNUMS._replace(derives=Derives.VALUE_AND_GRADIENT),
    "api.jacfwd": _BY_ARGNUMS,
    "api.jacrev": _BY_ARGNUMS,
    "api.hessian": _BY_ARGNUMS,
    "api.jacobian": _BY_ARGNUMS,
    "api.jvp": KnownFunction(calls=_BY_PRIMALS, derives=Derives.TANGENTS),
    "api.linearize": KnownFunction(calls=_BY_PRIMALS, derives=Derives.PULLBACK, new=New.FUNCTION),
    "api.vjp": KnownFunction(calls=_BY_PRIMALS, derives=Derives.PULLBACK, new=New.FUNCTION),
    "api.linear_transpose": NEW_FUNCTION,
    "api.fwd_and_bwd": NEW_FUNCTION,
    "api.named_call": _NAMING,
    "api.named_scope": SAME_FUNCTION,
    "profiler.annotate_function": _NAMING,
    "api.eval_shape": KnownFunction(calls=Calls(_FUN, Receives.ALL), result=Result.CONCRETE),
    "api.make_jaxpr": KnownFunction(calls=Calls(_FUN, Receives.NOT_STATIC), result=Result.CONCRETE, new=New.FUNCTION),
    "custom_derivatives.custom_gradient": NEW_FUNCTION,
    # JAX remembers what it makes of a function.
    "custom_derivatives.closure_convert": KnownFunction(effects=Effect.PASSES_ON),
    "custom_batching.custom_vmap": KnownFunction(
        calls=Calls(_FUN, Receives.ALL),
        new=New.FUNCTION,
        effects=Effect.WRAPS | Effect.FILLS_DEFAULTS | Effect.TAKES_RULES,
    ),
    "checkify.checkify": NEW_FUNCTION,
    "numpy.vectorize": _VECTORIZE,
    "vectorize.vectorize": _VECTORIZE,
    "numpy.frompyfunc": NEW_FUNCTION,
    "tree_util.Partial": KnownFunction(new=New.TREE_PARTIAL),
    **dict.fromkeys(_OF_TREES.split(), KnownFunction(effects=Effect.CALLS_FIRST | Effect.MAPS_LEAVES)),
    # control flow
    "lax.scan": KnownFunction(calls=Calls(_F, Receives.SCANNED), shapes=frozenset({"length", "unroll"})),
    "lax.while_loop": KnownFunction(calls=Calls(((0, "cond_fun"), (1, "body_fun")), Receives.FIRST)),
    "lax.fori_loop": KnownFunction(calls=Calls(((2, "body_fun"),), Receives.FIRST_TWO)),
    "lax.cond": KnownFunction(calls=Calls(((1, "true_fun"), (2, "false_fun")), Receives.ALL)),
    "lax.switch": KnownFunction(calls=Calls(((1, "branches"),), Receives.ALL)),
    "lax.map": KnownFunction(calls=Calls(_F, Receives.FIRST), shapes=frozenset({"batch_size"})),
    # calls of the host, and mutable arrays
    **dict.fromkeys(_HOST_CALLBACKS.split(), KnownFunction(effects=Effect.CALLS_HOST)),
    **dict.fromkeys(_NEW_REFS.split(), KnownFunction(effects=Effect.MAKES_REF)),
    **dict.fromkeys(_ONLY_RETURNING.split(), KnownFunction(effects=Effect.ONLY_RETURNS)),
    "core.ensure_compile_time_eval": KnownFunction(effects=Effect.UNTRACED_BODY),
    # results that are concrete under a trace
    **dict.fromkeys(_CONCRETE.split(), KnownFunction(result=Result.CONCRETE)),
    # parameters that have to be concrete
    **dict.fromkeys((f"numpy.{name}" for name in _SCALARS.split()), KnownFunction(effects=Effect.MAKES_SCALAR)),
    **{name: _concrete(name) for name in (*CONCRETE_PARAMETERS, *CONCRETE_NUMBERS)},
    "basearray.reshape": takes_shape("args"),
    **{f"random.{name}": _concrete(f"random.{name}", "shape") for name in _DISTRIBUTIONS.split()},
    # results whose length depends on values
    "numpy.repeat": sized_by("total_repeat_length", 1, "repeats"),
    "numpy.nonzero": sized_by("size"),
    "numpy.flatnonzero": sized_by("size"),
    "numpy.argwhere": sized_by("size"),
    "numpy.where": sized_by("size", 0, "condition", alone=True),
    "numpy.unique": sized_by("size", 0, "ar"),
    "numpy.unique_all": sized_by("size", 0, "x"),
    "numpy.unique_counts": sized_by("size", 0, "x"),
    "numpy.unique_inverse": sized_by("size", 0, "x"),
    "numpy.unique_values": sized_by("size", 0, "x"),
    "numpy.intersect1d": sized_by("size", 0, "ar1"),
    "numpy.setdiff1d": sized_by("size", 0, "ar1"),
    "numpy.union1d": sized_by("size", 0, "ar1"),
    "numpy.setxor1d": sized_by("size", 0, "ar1"),
    "numpy.roots": sized_by("strip_zeros", 0, "p"),
    "numpy.compress": sized_by("size", 0, "condition"),
    "numpy.extract": sized_by("size", 0, "condition"),
    "numpy.bincount": sized_by("length", 0, "x"),
    **dict.fromkeys(
        (f"ops.segment_{name}" for name in ("max", "min", "prod", "sum")),
        sized_by("num_segments", 1, "segment_ids", option_position=2),
    ),
    "numpy.delete": sized_by("assume_unique_indices", 1, "obj"),
    # boolean arrays
    **dict.fromkeys((f"numpy.{name}" for name in _MASKS.split()), KnownFunction(result=Result.MASK)),
}

# By full name, as mypy asks for hooks: each area is a module of `jax._src`.
JIT_FUNCTIONS: Final = {f"jax._src.{name}": row.compiles for name, row in JAX_FUNCTIONS.items() if row.compiles}

# Areas whose functions compute: a result whose type is not declared is traced, unless its row says that it is concrete.
VALUE_AREAS: Final = frozenset({"api", "image", "lax", "nn", "numpy", "ops", "random", "scipy"})

# In these packages, every function that returns a callable makes a new one with each call.
FACTORIES: Final = ("jax._src.nn.initializers.", "jax.example_libraries.")
_INITIALIZERS: Final = ".initializers."


@cache  # asked for most calls of a file, again and again
def jax_name(fullname: str) -> str | None:
    """The area and name of a JAX function: `random.normal` for `jax._src.random.core.normal`; None for any other."""
    if not fullname.startswith(JAX):
        return None
    parts = fullname.split(".")
    inner = parts[2:] if parts[1] == "_src" else parts[1:]
    return f"{inner[0]}.{inner[-1]}" if len(inner) > 1 else f"api.{inner[-1]}" if inner else None


def computes_arrays(fullname: str) -> bool:
    """Whether what a function of JAX returns is an array that it computes, by its public name alone."""
    area = (jax_name(fullname) or "").partition(".")[0]
    row = jax_function(fullname)
    is_maker = row.new is not None or row.compiles is not None or _INITIALIZERS in fullname
    return area in VALUE_AREAS - {"api"} and row.result is not Result.CONCRETE and not is_maker


def returns_one_array(name: str, given: int) -> bool:
    """Whether a call surely returns one array, by area and name, and by the number of arguments."""
    return name in TAKES_ARRAY and (name != _SELECTS or given > 1)


def jax_function(fullname: str) -> KnownFunction:
    """The row of a JAX function; an empty one for any other."""
    name = jax_name(fullname)
    return JAX_FUNCTIONS.get(name, NO_ROW) if name is not None else NO_ROW
