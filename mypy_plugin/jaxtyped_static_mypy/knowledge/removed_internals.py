"""Names of JAX's internals that its modules showed, and show no more."""

from collections.abc import Mapping
from typing import Final

from .removed_rows import Removed, gone, instead, moved

_ARRAY: Final = "jax.Array"
_EXTEND: Final = "jax.extend.core"

_CORE: Final[Mapping[str, Removed]] = {
    **moved(
        "jax.core",
        _EXTEND,
        """
        AbstractToken ClosedJaxpr Jaxpr JaxprEqn Literal Primitive Token TraceTag Var call_impl jaxpr_as_fun mapped_aval
        set_current_trace subjaxprs take_current_trace unmapped_aval
        """,
    ),
    **moved("jax.core", f"{_EXTEND}.primitives", "call_p closed_call_p convert_element_type_p"),
    **moved(
        "jax.core",
        "jax.errors",
        """
        ConcretizationTypeError TracerArrayConversionError TracerIntegerConversionError UnexpectedTracerError
        """,
    ),
    **instead(
        "jax.core",
        {
            "ConcreteArray": _ARRAY,
            "axis_frame": "jax.lax.axis_size",
            "get_aval": "jax.typeof",
            "safe_map": "[f(*each) for each in zip(xs, ys, strict=True)]",
            "safe_zip": "list(zip(xs, ys, strict=True))",
        },
    ),
    **gone(
        "jax.core",
        """
        AbstractUnit AxisName AxisPrimitive AxisSize Bot DimSize DConcreteArray DShapedArray EvalTrace InDBIdx InputType
        JaxprDebugInfo MainTrace MapPrimitive NamedShape OpaqueTraceState OutDBIdx Shape Sublevel ThreadLocalState
        TraceStack TraceState Unit UnitVar UnshapedArray abstract_unit aval_method aval_property axis_substitution_rules
        bint call_bind canonicalize_dim canonicalize_shape check_eqn check_type check_valid_jaxtype concrete_aval
        cur_sublevel dedup_referents definitely_equal diff_shape dimension_as_value do_subst_axis_names_jaxpr
        escaped_tracer_error eval_jaxpr_eqn extend_axis_env extend_axis_env_nd full_lower get_referent get_type is_dim
        jaxpr_uses_outfeed join_effects join_named_shapes lattice_join leaked_tracer_error map_bind
        maybe_find_leaked_tracers named_call_p new_base_main new_main new_sublevel ordered_effects outfeed_primitives
        pp_eqn pp_eqns pp_jaxpr pp_var primitive_uses_outfeed raise_as_much_as_possible raise_to_shaped
        raise_to_shaped_mappings reset_trace_state same_referent skip_checks subst_axis_names subst_axis_names_eqn
        subst_axis_names_jaxpr thread_local_state trace_state_clean traverse_jaxpr_params typecheck typecompat
        typematch unit unitvar used_axis_names used_axis_names_jaxpr
        """,
    ),
}

_INTERPRETERS: Final[Mapping[str, Removed]] = {
    **instead(
        "jax.interpreters.xla",
        {
            "Device": "jax.Device",
            "DeviceArray": _ARRAY,
            "ShapedArray": "jax.core.ShapedArray",
            "_DeviceArray": _ARRAY,
            "canonicalize_dtype": "jax.dtypes.canonicalize_dtype",
        },
    ),
    **gone(
        "jax.interpreters.xla",
        """
        Buffer ConcreteArray abstractify aval_to_xla_shapes axis_groups backend_specific_translations call_translations
        device_put jaxpr_subcomp lower_fun parallel_translations parameter prefetch pytype_aval_mappings
        register_translation translations xla_call xla_call_p xla_destructure xla_shape_handlers
        """,
    ),
    **moved("jax.interpreters.pxla", "jax.sharding", "Mesh NamedSharding PartitionSpec"),
    **instead("jax.interpreters.pxla", {"ShardedDeviceArray": _ARRAY}),
    **gone(
        "jax.interpreters.pxla",
        """
        Chunked NoSharding Replicated ResourceEnv ShardedAxis ShardingSpec Unstacked
        parallel_callable shard_args spec_to_indices xla_pmap xla_pmap_p
        """,
    ),
    **moved("jax.interpreters.partial_eval", _EXTEND, "ClosedJaxpr Jaxpr JaxprEqn Literal Primitive Var"),
    **instead("jax.interpreters.partial_eval", {"abstract_eval_fun": "jax.eval_shape"}),
    **gone(
        "jax.interpreters.partial_eval",
        """
        JaxprTrace close_jaxpr convert_constvars_jaxpr partial_eval_jaxpr partial_eval_jaxpr_custom trace_to_jaxpr
        trace_to_jaxpr_final trace_to_subjaxpr tracers_to_jaxpr
        """,
    ),
    **gone(
        "jax.interpreters.batching",
        """
        BatchTrace BatchTracer add_batched batch batch_fun2 batch_jaxpr batch_subtrace collective_rules
        get_primitive_batcher initial_style_batchers matchaxis moveaxis not_mapped reducer_batcher vectorized_batcher
        """,
    ),
    **gone("jax.interpreters.mlir", "ReplicaAxisContext cache_lowering custom_call xla_fallback_lowering"),
}

INTERNALS: Final[Mapping[str, Removed]] = {**_CORE, **_INTERPRETERS}
