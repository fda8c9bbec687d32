"""What is known of classes nobody here wrote, by full name. Data only: to teach the checker a class, add a row."""

from enum import Enum, auto
from typing import Final, NamedTuple


class Kind(Enum):
    """How values of a known class behave as a compilation key."""

    STATIC = auto()  # immutable, hashed and compared by value
    CONTAINER = auto()  # the same, provided that its type arguments are
    MUTABLE = auto()
    ARRAY = auto()
    HOST_ARRAY = auto()  # NumPy's: no tracer is ever in one
    ABSTRACT = auto()  # says nothing of the value that will be passed


class Known(NamedTuple):
    kind: Kind
    instead: str = ""  # what to write in its place


_STATIC: Final = """
    builtins.int builtins.float builtins.complex builtins.bool builtins.str builtins.bytes builtins.range
    builtins.ellipsis builtins.function builtins.type types.ModuleType types.NoneType types.EllipsisType
    types.FunctionType types.BuiltinFunctionType types.MethodType types.GenericAlias types.UnionType
    functools.partial functools._lru_cache_wrapper
    datetime.date datetime.datetime datetime.time datetime.timedelta datetime.tzinfo datetime.timezone
    decimal.Decimal fractions.Fraction numbers.Number uuid.UUID pathlib.PurePath os.PathLike re.Pattern
    ipaddress._BaseV4 ipaddress._BaseV6 zoneinfo.ZoneInfo string.templatelib.Template
    numpy.dtype numpy.generic numpy.ufunc ml_dtypes.bfloat16
    jax._src.numpy.scalar_types._ScalarMeta jax._src.core.ShapeDtypeStruct jax._src.api.ShapeDtypeStruct
    jax._src.named_sharding.NamedSharding jax._src.sharding.Sharding jaxlib._jax.Sharding
    jax._src.partition_spec.PartitionSpec jax._src.partition_spec.P jaxlib._jax.PartitionSpec
    jax._src.mesh.Mesh jax._src.mesh.AbstractMesh
    jaxlib._jax.Device jaxlib._jax.Client jaxlib.xla_client.Device jaxlib._jax.Layout jax._src.layout.Format
    jax._src.tree_util.PyTreeDef jaxlib._jax.pytree.PyTreeDef jaxlib.pytree.PyTreeDef
    jax._src.custom_derivatives.custom_vjp jax._src.custom_derivatives.custom_jvp
    jax._src.numpy.ufunc_api.ufunc jax._src.pjit.JitWrapped jax._src.stages.Wrapped
    jaxtyped_static.types.JitView jaxtyped_static._jit.JitView
    jax._src.lax.slicing.GatherDimensionNumbers jax._src.lax.slicing.ScatterDimensionNumbers
    flax.linen.module.Module flax.linen.module.ModuleBase
"""

_CONTAINERS: Final = """
    builtins.tuple builtins.frozenset immutabledict.immutabledict frozendict.frozendict flax.core.frozen_dict.FrozenDict
    ml_collections.config_dict.config_dict.FrozenConfigDict
"""

_ARRAYS: Final = """
    jax._src.basearray.Array jax.Array jax._src.core.Tracer jax._src.array.ArrayImpl jax._src.prng.PRNGKeyArray
    jax._src.ref.Ref
"""

_ABSTRACT: Final = """
    builtins.object abc.ABC typing.Hashable collections.abc.Hashable typing.Sized typing.Iterable typing.Iterator
    typing.Container typing.Collection typing.Reversible typing.Sequence typing.Mapping typing.AbstractSet
    typing.KeysView typing.ValuesView typing.ItemsView typing.MappingView typing.SupportsInt typing.SupportsFloat
    typing.SupportsIndex
"""

_MUTABLE: Final = {
    "builtins.list": "tuple",
    "builtins.dict": "immutabledict",
    "builtins.set": "frozenset",
    "builtins.bytearray": "bytes",
    "builtins.memoryview": "bytes",
    "collections.deque": "tuple",
    "collections.OrderedDict": "immutabledict",
    "collections.defaultdict": "immutabledict",
    "collections.Counter": "immutabledict",
    "collections.ChainMap": "immutabledict",
    "collections.UserDict": "immutabledict",
    "collections.UserList": "tuple",
    "array.array": "tuple",
    "types.SimpleNamespace": "a frozen dataclass",
    "types.MappingProxyType": "immutabledict",
    "typing.MutableSequence": "tuple",
    "typing.MutableMapping": "immutabledict",
    "typing.MutableSet": "frozenset",
    "argparse.Namespace": "a frozen dataclass",
    "configparser.RawConfigParser": "a frozen dataclass",
    "ml_collections.config_dict.config_dict.ConfigDict": "FrozenConfigDict",
}

KNOWN_TYPES: Final[dict[str, Known]] = {
    **{name: Known(Kind.STATIC) for name in _STATIC.split()},
    **{name: Known(Kind.CONTAINER) for name in _CONTAINERS.split()},
    **{name: Known(Kind.ARRAY) for name in _ARRAYS.split()},
    "numpy.ndarray": Known(Kind.HOST_ARRAY),
    **{name: Known(Kind.ABSTRACT) for name in _ABSTRACT.split()},
    **{name: Known(Kind.MUTABLE, instead) for name, instead in _MUTABLE.items()},
}

# Aliases of unions that are static in use, whatever their members.
STATIC_ALIASES: Final = frozenset(
    {
        "numpy._typing._dtype_like.DTypeLike",
        "numpy._typing.DTypeLike",
        "numpy.typing.DTypeLike",
        "jax._src.typing.DTypeLike",
        "jax._src.typing.Shape",
    }
)

# Packages whose classes are not judged by their source: what is not in the table above stays unverified.
UNREAD_PACKAGES: Final = ("jax", "jaxlib", "numpy", "ml_dtypes")
