"""The types of NumPy and JAX, a row each."""

from typing import Final

from .type_rows import LEAF, NEVER, UNKNOWN, AsKey, KnownType, Trait, TypeTable, array, static, unjudged

# What `jax.jit` returns, in different releases.
COMPILED_BY_JAX: Final = ("jax._src.pjit.JitWrapped", "jax._src.stages.Wrapped")

# What `jax.Array` stands for, in different releases.
ARRAY_NAMES: Final = ("jax._src.basearray.Array", "jax.Array")
# What `x.at[i]` is.
INDEXED_UPDATES: Final = "jax._src.basearray._IndexUpdateRef"

JAX_TYPES: Final[TypeTable] = {
    "numpy.dtype": static(NEVER),
    "numpy.generic": static(LEAF),
    "numpy.ufunc": static(NEVER),
    "numpy.ndarray": KnownType(AsKey.HOST_ARRAY, LEAF),
    "numpy.character": unjudged(NEVER),
    "numpy.datetime64": unjudged(NEVER),
    "numpy.timedelta64": unjudged(NEVER),
    "numpy.void": unjudged(NEVER),
    "numpy.random._generator.Generator": unjudged(NEVER),
    "numpy.random.mtrand.RandomState": unjudged(NEVER),
    "ml_dtypes.bfloat16": static(LEAF),
    # Where releases of jax define a type in different modules, each full name has a row.
    "jax._src.numpy.scalar_types._ScalarMeta": static(NEVER),
    "jax._src.core.ShapeDtypeStruct": static(UNKNOWN),
    "jax._src.api.ShapeDtypeStruct": static(UNKNOWN),
    "jax._src.named_sharding.NamedSharding": static(NEVER),
    "jax._src.sharding.Sharding": static(NEVER),
    "jax._src.partition_spec.PartitionSpec": static(NEVER),
    "jax._src.partition_spec.P": static(NEVER),
    "jax._src.mesh.Mesh": static(NEVER),
    "jax._src.mesh.AbstractMesh": static(NEVER),
    "jax._src.layout.Format": static(),
    "jax._src.tree_util.PyTreeDef": static(NEVER),
    "jax._src.custom_derivatives.custom_vjp": static(NEVER, Trait.OPAQUE),
    "jax._src.custom_derivatives.custom_jvp": static(NEVER, Trait.OPAQUE),
    "jax._src.numpy.ufunc_api.ufunc": static(NEVER),
    "jax._src.pjit.JitWrapped": static(NEVER, Trait.COMPILED | Trait.OPAQUE),
    "jax._src.stages.Wrapped": static(NEVER, Trait.COMPILED),
    "jax._src.lax.slicing.GatherDimensionNumbers": static(),
    "jax._src.lax.slicing.ScatterDimensionNumbers": static(),
    "jax._src.basearray.Array": array(LEAF),
    "jax.Array": array(LEAF),
    "jax._src.core.Tracer": array(LEAF),
    "jax._src.array.ArrayImpl": array(LEAF),
    "jax._src.prng.PRNGKeyArray": array(LEAF),
    "jax._src.ref.Ref": array(UNKNOWN),
    "jax._src.tree_util.Partial": KnownType(None, None, Trait.FUNCTION),
    "jaxlib._jax.Sharding": static(NEVER),
    "jaxlib._jax.PartitionSpec": static(NEVER),
    "jaxlib._jax.Device": static(NEVER),
    "jaxlib._jax.Client": static(NEVER),
    "jaxlib.xla_client.Device": static(NEVER),
    "jaxlib._jax.Layout": static(),
    "jaxlib._jax.pytree.PyTreeDef": static(NEVER),
    "jaxlib.pytree.PyTreeDef": static(NEVER),
}

# Aliases of unions, which are known by name and never expanded.
JAX_ALIASES: Final[TypeTable] = {
    "numpy._typing._dtype_like.DTypeLike": static(NEVER),
    "numpy._typing.DTypeLike": static(NEVER),
    "numpy.typing.DTypeLike": static(NEVER),
    "jax._src.typing.DTypeLike": static(NEVER),
    "jax._src.typing.Shape": static(),
    "jax._src.typing.ArrayLike": unjudged(LEAF),
    "jax.typing.ArrayLike": unjudged(LEAF),
}

# Packages whose source is not judged: a class without a row stays unverified.
UNREAD_PACKAGES: Final = ("jax", "jaxlib", "numpy", "ml_dtypes")
