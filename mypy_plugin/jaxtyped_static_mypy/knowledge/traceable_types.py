"""What `jit` makes of values of known classes, by full name. Data only: to teach the checker a class, add a row.

Measured: only the registered class itself is taken apart, not those derived from it; a number of NumPy is a leaf, its
text and dates are not.
"""

from enum import Enum, auto
from typing import Final


class Kind(Enum):
    """How a value comes into a trace."""

    LEAF = auto()
    TREE = auto()  # its elements do: those of the last type argument
    NEVER = auto()  # every call raises
    UNKNOWN = auto()


_LEAVES: Final = """
    builtins.int builtins.float builtins.complex builtins.bool numpy.generic numpy.ndarray ml_dtypes.bfloat16
    jax._src.basearray.Array jax.Array jax._src.core.Tracer jax._src.array.ArrayImpl jax._src.prng.PRNGKeyArray
"""

_TREES: Final = """
    builtins.tuple builtins.list builtins.dict collections.OrderedDict collections.defaultdict
    typing.Sequence typing.MutableSequence typing.Mapping typing.MutableMapping
    flax.core.frozen_dict.FrozenDict
"""

# No subclass of these is likely to be registered; one that is seen to be is traced all the same.
_NEVER: Final = """
    builtins.str builtins.bytes builtins.bytearray builtins.memoryview builtins.range builtins.slice builtins.ellipsis
    builtins.set builtins.frozenset builtins.function builtins.type builtins.BaseException
    types.ModuleType types.FunctionType types.BuiltinFunctionType types.MethodType types.GenericAlias types.UnionType
    types.GeneratorType typing.Generator types.SimpleNamespace types.MappingProxyType types.EllipsisType
    functools._lru_cache_wrapper argparse.Namespace array.array logging.Logger random.Random threading.Thread
    collections.deque collections.Counter collections.ChainMap
    datetime.date datetime.datetime datetime.time datetime.timedelta datetime.tzinfo
    decimal.Decimal fractions.Fraction uuid.UUID pathlib.PurePath re.Pattern zoneinfo.ZoneInfo
    numpy.dtype numpy.ufunc numpy.character numpy.datetime64 numpy.timedelta64 numpy.void
    numpy.random._generator.Generator numpy.random.mtrand.RandomState
    jax._src.numpy.scalar_types._ScalarMeta
    jax._src.named_sharding.NamedSharding jax._src.sharding.Sharding jaxlib._jax.Sharding
    jax._src.partition_spec.PartitionSpec jax._src.partition_spec.P jaxlib._jax.PartitionSpec
    jax._src.mesh.Mesh jax._src.mesh.AbstractMesh
    jaxlib._jax.Device jaxlib._jax.Client jaxlib.xla_client.Device
    jax._src.tree_util.PyTreeDef jaxlib._jax.pytree.PyTreeDef jaxlib.pytree.PyTreeDef
    jax._src.numpy.ufunc_api.ufunc jax._src.pjit.JitWrapped jax._src.stages.Wrapped
    jaxtyped_static.types.JitView jaxtyped_static._jit.JitView
    jax._src.custom_derivatives.custom_vjp jax._src.custom_derivatives.custom_jvp
    flax.linen.module.Module flax.linen.module.ModuleBase
    optax._src.base.GradientTransformation optax._src.base.GradientTransformationExtraArgs
"""

# Of which a program may have registered a class, or which stand for objects that are pytrees.
_UNKNOWN: Final = """
    functools.partial collections.UserDict collections.UserList types.NoneType numbers.Number os.PathLike
    immutabledict.immutabledict frozendict.frozendict
    jax._src.core.ShapeDtypeStruct jax._src.api.ShapeDtypeStruct jax._src.ref.Ref
"""

TRACEABLE_TYPES: Final[dict[str, Kind]] = {
    name: kind
    for kind, names in (
        (Kind.LEAF, _LEAVES),
        (Kind.TREE, _TREES),
        (Kind.NEVER, _NEVER),
        (Kind.UNKNOWN, _UNKNOWN),
    )
    for name in names.split()
}

# Aliases of unions no member of which can be traced, whatever their types say.
UNTRACEABLE_ALIASES: Final = frozenset(
    {
        "numpy._typing._dtype_like.DTypeLike",
        "numpy._typing.DTypeLike",
        "numpy.typing.DTypeLike",
        "jax._src.typing.DTypeLike",
    }
)
