"""The JAX that an old Python can have at most, and which of the names that are gone today it still has.

Read from the packages of these releases, without importing them; deprecated names count as there.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

# The last release for each Python 3; for a later Python, there is one that has none of the names.
_NEWEST: Final[Mapping[int, str]] = {6: "0.2.17", 7: "0.3.25", 8: "0.4.13", 9: "0.4.30", 10: "0.6.2"}
# By the last of these releases that has them, and module; 0.4.38 is the last for some old libraries, and 0.3.1 is
# between the last ones for NumPy 1.18 and 1.19. The next row is of a release that lacks them.
_ROWS: Final[Mapping[str, Mapping[str, str]]] = {
    "0.6.2": {
        "jax": "batching custom_transpose device_put_replicated device_put_sharded mlir partial_eval pxla util xla",
        "jax.ad_checkpoint": "checkpoint remat",
        "jax.core": """
            AbstractToken AxisName ConcretizationTypeError DShapedArray TraceTag UnshapedArray axis_frame call_impl
            call_p closed_call_p get_aval get_type mapped_aval set_current_trace subjaxprs take_current_trace
            trace_state_clean traverse_jaxpr_params typecheck typematch unmapped_aval
        """,
        "jax.custom_derivatives": "custom_jvp_call_jaxpr_p",
        "jax.dlpack": "to_dlpack",
        "jax.errors": "SimplifiedTraceback",
        "jax.experimental": "MutableArray attrs disable_x64 enable_x64 host_callback mutable_array shard x64_context",
        "jax.experimental.compilation_cache.compilation_cache": "initialize_cache",
        "jax.experimental.layout": "DeviceLocalLayout",
        "jax.experimental.pjit": "AUTO",
        "jax.extend": "ffi",
        "jax.interpreters.batching": """
            BatchTrace BatchTracer batch batch_jaxpr batch_subtrace matchaxis moveaxis not_mapped reducer_batcher
            vectorized_batcher
        """,
        "jax.interpreters.mlir": "ReplicaAxisContext custom_call",
        "jax.interpreters.partial_eval": """
            Jaxpr JaxprTrace abstract_eval_fun close_jaxpr convert_constvars_jaxpr partial_eval_jaxpr_custom
            tracers_to_jaxpr
        """,
        "jax.interpreters.pxla": """
            Chunked NoSharding Replicated ShardedAxis ShardingSpec Unstacked parallel_callable shard_args
            spec_to_indices xla_pmap_p
        """,
        "jax.interpreters.xla": "abstractify canonicalize_dtype pytype_aval_mappings",
        "jax.lax": "infeed infeed_p outfeed outfeed_p pvary",
        "jax.lib": "xla_bridge xla_client xla_extension",
        "jax.numpy": "fix",
        "jax.scipy.special": "sph_harm",
        "jax.sharding": "GSPMDSharding PmapSharding PositionalSharding use_mesh",
        "jax.tree_util": "build_tree",
    },
    "0.4.38": {
        "jax": """
            spmd_mode tree_flatten tree_leaves tree_map tree_structure tree_transpose tree_unflatten treedef_is_leaf
        """,
        "jax.core": """
            AxisSize ClosedJaxpr EvalTrace InDBIdx InputType Jaxpr JaxprDebugInfo JaxprEqn Literal MapPrimitive
            OpaqueTraceState OutDBIdx Primitive Token Var concrete_aval dedup_referents escaped_tracer_error
            extend_axis_env_nd full_lower get_referent jaxpr_as_fun join_effects lattice_join leaked_tracer_error
            maybe_find_leaked_tracers raise_to_shaped raise_to_shaped_mappings reset_trace_state typecompat
            used_axis_names_jaxpr
        """,
        "jax.custom_derivatives": "custom_vjp_call_jaxpr_p",
        "jax.experimental": "array_api",
    },
    "0.4.30": {
        "jax": "clear_backends xla_computation",
        "jax.core": """
            ConcreteArray MainTrace NamedShape Sublevel ThreadLocalState TraceStack TraceState canonicalize_shape
            check_eqn check_type check_valid_jaxtype cur_sublevel definitely_equal dimension_as_value
            do_subst_axis_names_jaxpr extend_axis_env jaxpr_uses_outfeed join_named_shapes map_bind new_base_main
            new_main new_sublevel outfeed_primitives pp_eqn pp_eqns pp_jaxpr pp_var primitive_uses_outfeed
            raise_as_much_as_possible subst_axis_names subst_axis_names_eqn subst_axis_names_jaxpr thread_local_state
            used_axis_names
        """,
        "jax.experimental": "export maps",
        "jax.interpreters.partial_eval": "trace_to_jaxpr trace_to_jaxpr_final trace_to_subjaxpr",
        "jax.lax": "pdot xeinsum",
        "jax.numpy": "round_",
        "jax.random": "shuffle",
        "jax.sharding": "XLACompatibleSharding",
    },
    "0.4.13": {
        "jax": "ShapedArray abstract_arrays config curry flatten_fun_nokwargs jaxpr_util linear_util prng",
        "jax.config": "config",
        "jax.core": """
            DimSize Shape TracerArrayConversionError TracerIntegerConversionError UnexpectedTracerError
            canonicalize_dim diff_shape is_dim safe_map safe_zip same_referent
        """,
        "jax.experimental.pjit": "ParsedPartitionSpec with_sharding_constraint",
        "jax.interpreters.batching": "add_batched",
        "jax.interpreters.pxla": "ShardedDeviceArray xla_pmap",
        "jax.interpreters.xla": """
            ConcreteArray ShapedArray axis_groups backend_specific_translations parameter register_translation
            translations xla_destructure xla_shape_handlers
        """,
        "jax.lax": "tie_in",
        "jax.nn": "normalize",
        "jax.numpy": """
            DeviceArray NINF NZERO PZERO alltrue cumproduct in1d issubsctype product row_stack sometrue trapz
        """,
        "jax.random": """
            KeyArray PRNGKeyArray default_prng_impl rbg_key threefry2x32_key threefry2x32_p threefry_2x32
            unsafe_rbg_key
        """,
        "jax.scipy.linalg": "tril triu",
        "jax.tree_util": "AttributeKeyPathEntry GetitemKeyPathEntry register_keypaths",
    },
    "0.3.25": {
        "jax.core": """
            AxisPrimitive Bot DConcreteArray UnitVar abstract_unit aval_method aval_property axis_substitution_rules
            bint eval_jaxpr_eqn ordered_effects unit unitvar
        """,
        "jax.experimental": "PartitionSpec callback gda_serialization global_device_array",
        "jax.experimental.multihost_utils": "GlobalDeviceArray",
        "jax.experimental.pjit": "FROM_GDA NamedSharding PartitionSpec",
        "jax.interpreters.mlir": "cache_lowering xla_fallback_lowering",
        "jax.interpreters.partial_eval": "ClosedJaxpr JaxprEqn Literal Primitive Var partial_eval_jaxpr",
        "jax.interpreters.pxla": "Mesh PartitionSpec ResourceEnv",
        "jax.interpreters.xla": """
            Buffer Device DeviceArray _DeviceArray aval_to_xla_shapes device_put lower_fun xla_call xla_call_p
        """,
        "jax.numpy": "msort",
        "jax.scipy.linalg": "polar_unitary",
        "jax.sharding": "MeshPspecSharding OpShardingSharding",
    },
    "0.3.14": {
        "jax": "mask shapecheck soft_pmap tree_multimap",
        "jax.core": "call_bind named_call_p",
        "jax.experimental": "loops optimizers stax with_sharding_constraint",
        "jax.interpreters": "masking sharded_jit",
        "jax.test_util": "cases_from_list check_close check_eq device_under_test skip_on_devices",
        "jax.tree_util": "tree_multimap",
    },
    "0.3.1": {
        "jax": "custom_ivjp invertible",
        "jax.core": "AbstractUnit Unit",
        "jax.experimental": "ann djax",
        "jax.interpreters": "invertible_ad",
        "jax.interpreters.xla": "call_translations jaxpr_subcomp",
        "jax.ops": "index index_add index_max index_min index_mul index_update",
    },
}
# The last of these releases that has a name.
LAST: Final[Mapping[str, str]] = {
    f"{module}.{name}": release
    for release, modules in _ROWS.items()
    for module, names in modules.items()
    for name in names.split()
}
_RELEASES: Final = tuple(_ROWS)[::-1]


class Times(NamedTuple):
    """When JAX had a name, or an argument."""

    last: str  # the last of the known releases that has it
    gone: str  # the first of them that does not; empty if it is the installed one


def newest_release(minor: int) -> str | None:
    """The last JAX for a Python 3; None if it is recent enough to have none of the names."""
    return _NEWEST.get(minor)


def times_of(name: str) -> Times:
    """A name without a row was in none of these releases but perhaps the first."""
    return following(LAST[name], _RELEASES) if name in LAST else Times(_NEWEST[min(_NEWEST)], "")


def following(last: str, releases: Sequence[str]) -> Times:
    """`releases`: those that are known, from the earliest to the latest."""
    later = releases[releases.index(last) + 1 :]
    return Times(last, later[0] if later else "")
