"""Names that some release of JAX had and JAX 0.10.2 has not, with what to write instead.

`tests/cli/test_removed_names.py` holds them against the JAX that is installed: none exists, and each name that an
advice gives does.
"""

from collections.abc import Mapping
from typing import Final

from .removed_internals import INTERNALS
from .removed_rows import Removed, gone, instead, moved, otherwise

_ARRAY: Final = "jax.Array"
_SPEC: Final = "jax.sharding.PartitionSpec"
_NAMED: Final = "use jax.sharding.NamedSharding, with a mesh (jax.make_mesh) and a jax.sharding.PartitionSpec"
_CALLBACKS: Final = "use jax.pure_callback, jax.experimental.io_callback or jax.debug.callback"
_LOWER: Final = "use jax.jit(f).lower(*args), which has as_text() and cost_analysis()"
_PUT: Final = "use jax.device_put with a sharding, of what jax.numpy.stack makes: it adds no axis for the devices"
_JAXLIB: Final = "JAX offers no part of jaxlib any more: jax.jit(f).lower(*args) has as_text() and cost_analysis()"
_RULES: Final = "use jax.custom_jvp or jax.custom_vjp"
_RUNTIME: Final = "use jax.extend.backend.get_backend, jax.default_backend or jax.devices"
_TREES: Final = {
    "tree_flatten": "jax.tree.flatten",
    "tree_leaves": "jax.tree.leaves",
    "tree_map": "jax.tree.map",
    "tree_multimap": "jax.tree.map",
    "tree_structure": "jax.tree.structure",
    "tree_transpose": "jax.tree.transpose",
    "tree_unflatten": "jax.tree.unflatten",
    "treedef_is_leaf": "jax.tree_util.treedef_is_leaf",
}

_MODULES: Final[Mapping[str, Removed]] = {
    **instead(
        "jax",
        {
            "api": "jax",
            "config": "from jax import config",
            "experimental.ann": "jax.lax.approx_max_k or jax.lax.approx_min_k",
            "experimental.array_api": "jax.numpy",
            "experimental.export": "jax.export",
            "experimental.optimizers": "jax.example_libraries.optimizers",
            "experimental.shard": "jax.sharding",
            "experimental.stax": "jax.example_libraries.stax",
            "experimental.x64_context": "jax.enable_x64",
            "extend.ffi": "jax.ffi",
            "linear_util": "jax.extend.linear_util",
            "prng": "jax.extend.random",
        },
    ),
    **otherwise(
        "jax",
        {
            "abstract_arrays": "jax.core has ShapedArray, and jax.extend.core the rest",
            "experimental.callback": _CALLBACKS,
            "experimental.global_device_array": "every jax.Array may be distributed",
            "experimental.host_callback": _CALLBACKS,
            "experimental.loops": "use jax.lax.fori_loop, jax.lax.while_loop or jax.lax.scan",
            "experimental.maps": "use jax.sharding.Mesh for Mesh, and jax.shard_map or jax.vmap for xmap",
            "interpreters.sharded_jit": "use jax.jit with shardings",
            "util": "use functools.partial for its partial, and copy the few lines of safe_map and safe_zip",
            "lib.xla_bridge": _RUNTIME,
            "lib.xla_client": _JAXLIB,
            "lib.xla_extension": _JAXLIB,
        },
    ),
    **gone(
        "jax",
        """
        ad_util custom_transpose experimental.attrs experimental.djax experimental.doubledouble
        experimental.gda_serialization interpreters.invertible_ad interpreters.masking jaxpr_util lax_reference lazy
        """,
    ),
}

_TOP: Final[Mapping[str, Removed]] = {
    **instead(
        "jax",
        {
            **_TREES,
            "ArrayRef": "jax.Ref",
            "array_ref": "jax.new_ref",
            "clear_backends": "jax.extend.backend.clear_backends",
            "config.FLAGS": "jax.config",
            "config.config": "jax.config",
            "partial": "functools.partial",
            "ShapedArray": "jax.core.ShapedArray",
        },
    ),
    **moved("jax", "jax.stages", "Compiled Lowered"),
    **moved("jax", "jax.interpreters", "batching mlir partial_eval pxla xla"),
    **otherwise(
        "jax",
        {
            **dict.fromkeys(("custom_transforms", "defjvp", "defjvp_all", "defvjp", "defvjp_all"), _RULES),
            **dict.fromkeys(("device_put_replicated", "device_put_sharded"), _PUT),
            "xla_computation": _LOWER,
        },
    ),
    **gone(
        "jax", "argnums_partial curry custom_ivjp flatten_fun_nokwargs invertible mask shapecheck soft_pmap spmd_mode"
    ),
}

_NUMPY: Final[Mapping[str, Removed]] = {
    **instead(
        "jax.numpy",
        {
            "DeviceArray": _ARRAY,
            "NINF": "-jax.numpy.inf",
            "NZERO": "-0.0",
            "PZERO": "0.0",
            "alltrue": "jax.numpy.all",
            "cumproduct": "jax.numpy.cumprod",
            "fix": "jax.numpy.trunc",
            "in1d": "jax.numpy.isin",
            "issubsctype": "jax.numpy.issubdtype",
            "lax_numpy": "jax.numpy",
            "msort": "jax.numpy.sort(a, axis=0)",
            "product": "jax.numpy.prod",
            "round_": "jax.numpy.round",
            "row_stack": "jax.numpy.vstack",
            "sometrue": "jax.numpy.any",
            "trapz": "jax.numpy.trapezoid",
        },
    ),
    **instead(
        "jax.ops",
        {
            "index": "the index itself: x.at[i, :]",
            "index_add": "x.at[index].add(y), of an array of JAX",
            "index_max": "x.at[index].max(y), of an array of JAX",
            "index_min": "x.at[index].min(y), of an array of JAX",
            "index_mul": "x.at[index].multiply(y), of an array of JAX",
            "index_update": "x.at[index].set(y), of an array of JAX",
        },
    ),
    **instead("jax.nn", {"normalize": "jax.nn.standardize"}),
    **instead(
        "jax.scipy",
        {
            "linalg.polar_unitary": "jax.scipy.linalg.polar",
            "linalg.tril": "jax.numpy.tril",
            "linalg.triu": "jax.numpy.triu",
            "special.sph_harm": "jax.scipy.special.sph_harm_y",
        },
    ),
    **instead("jax.lax", {"pvary": 'jax.lax.pcast(x, axes, to="varying")', "tie_in": "the second argument alone"}),
    **gone("jax.lax", "infeed infeed_p outfeed outfeed_p pdot xeinsum"),
    **instead("jax.dtypes", {"issubsctype": "jax.dtypes.issubdtype"}),
    **moved("jax.dtypes", "jax.numpy", "bool_ can_cast complex_ dtype float_ int_ promote_types"),
    **instead(
        "jax.random",
        {"KeyArray": _ARRAY, "PRNGKeyArray": _ARRAY},
    ),
    # It shuffled each row by itself.
    **otherwise("jax.random", {"shuffle": "write jax.random.permutation(key, x, axis, independent=True)"}),
    **moved("jax.random", "jax.extend.random", "threefry2x32_p threefry_2x32"),
    **instead(
        "jax.random",
        {name: f'jax.random.key(seed, impl="{name[:-4]}")' for name in ("rbg_key", "threefry2x32_key")}
        | {"unsafe_rbg_key": 'jax.random.key(seed, impl="unsafe_rbg")'},
    ),
    **gone("jax.random", "default_prng_impl"),
}

_TREE_UTIL: Final[Mapping[str, Removed]] = {
    **instead(
        "jax.tree_util",
        {
            "AttributeKeyPathEntry": "jax.tree_util.GetAttrKey",
            "GetitemKeyPathEntry": "jax.tree_util.DictKey or jax.tree_util.SequenceKey",
            "register_keypaths": "jax.tree_util.register_pytree_with_keys",
            "tree_multimap": "jax.tree.map",
        },
    ),
    **gone("jax.tree_util", "build_tree"),
}

_OTHERS: Final[Mapping[str, Removed]] = {
    **instead(
        "jax.experimental",
        {
            "MutableArray": "jax.Ref",
            "PartitionSpec": _SPEC,
            "disable_x64": "jax.enable_x64(False)",
            "enable_x64": "jax.enable_x64",
            "layout.DeviceLocalLayout": "jax.experimental.layout.Layout",
            "mutable_array": "jax.new_ref",
            "with_sharding_constraint": "jax.lax.with_sharding_constraint",
        },
    ),
    **moved("jax.experimental.pjit", "jax.sharding", "NamedSharding PartitionSpec"),
    **instead("jax.experimental.pjit", {"with_sharding_constraint": "jax.lax.with_sharding_constraint"}),
    **gone("jax.experimental.pjit", "AUTO FROM_GDA ParsedPartitionSpec"),
    **instead("jax.experimental.multihost_utils", {"GlobalDeviceArray": _ARRAY}),
    **otherwise(
        "jax.experimental.compilation_cache.compilation_cache",
        {"initialize_cache": "use jax.experimental.compilation_cache.compilation_cache.set_cache_dir"},
    ),
    **instead("jax.experimental.key_reuse", {"KeyReuseError": "jax.errors.KeyReuseError"}),
    **moved("jax.ad_checkpoint", "jax", "checkpoint remat"),
    **otherwise("jax.dlpack", {"to_dlpack": "pass the array itself: it has __dlpack__"}),
    **gone("jax.errors", "SimplifiedTraceback"),
    **instead(
        "jax.sharding",
        {
            "MeshPspecSharding": "jax.sharding.NamedSharding",
            "XLACompatibleSharding": "jax.sharding.Sharding",
            "use_mesh": "jax.set_mesh",
        },
    ),
    **otherwise("jax.sharding", {"PositionalSharding": _NAMED}),
    **gone("jax.sharding", "GSPMDSharding OpShardingSharding PmapSharding"),
    **gone(
        "jax.test_util",
        """
        JaxTestCase JaxTestLoader cases_from_list check_close check_eq check_raises count_primitive_compiles
        device_under_test rand_default skip_on_devices tolerance
        """,
    ),
    **gone("jax.api_util", "apply_flat_fun argnames_partial wrap_hashably"),
    **gone("jax.custom_derivatives", "custom_jvp_call_jaxpr_p custom_vjp_call_jaxpr_p"),
}

REMOVED: Final[Mapping[str, Removed]] = {
    **_MODULES,
    **_TOP,
    **_NUMPY,
    **_TREE_UTIL,
    **INTERNALS,
    **_OTHERS,
}
MODULES: Final = frozenset(_MODULES)
# Modules with the name of something that is still there.
STILL_NAMES: Final = frozenset({"jax.config"})
# Names that JAX shows to type checkers, and refuses when a program runs (JAX 0.10.2).
REFUSED: Final = frozenset({"jax.device_put_replicated", "jax.device_put_sharded"})


def removed(name: str) -> str | None:
    """What is gone of a full name: itself, or the module that it is in; None if the table has neither."""
    if name in REMOVED:
        return name
    outer = name
    while outer := outer.rpartition(".")[0]:
        if outer in MODULES:
            return outer
    return None
