from chex._src.asserts import assert_axis_dimension as assert_axis_dimension
from chex._src.asserts import assert_axis_dimension_comparator as assert_axis_dimension_comparator
from chex._src.asserts import assert_axis_dimension_gt as assert_axis_dimension_gt
from chex._src.asserts import assert_axis_dimension_gteq as assert_axis_dimension_gteq
from chex._src.asserts import assert_axis_dimension_lt as assert_axis_dimension_lt
from chex._src.asserts import assert_axis_dimension_lteq as assert_axis_dimension_lteq
from chex._src.asserts import assert_devices_available as assert_devices_available
from chex._src.asserts import assert_equal as assert_equal
from chex._src.asserts import assert_equal_rank as assert_equal_rank
from chex._src.asserts import assert_equal_shape as assert_equal_shape
from chex._src.asserts import assert_equal_shape_prefix as assert_equal_shape_prefix
from chex._src.asserts import assert_equal_shape_suffix as assert_equal_shape_suffix
from chex._src.asserts import assert_equal_size as assert_equal_size
from chex._src.asserts import assert_exactly_one_is_none as assert_exactly_one_is_none
from chex._src.asserts import assert_gpu_available as assert_gpu_available
from chex._src.asserts import assert_is_broadcastable as assert_is_broadcastable
from chex._src.asserts import assert_is_divisible as assert_is_divisible
from chex._src.asserts import assert_max_traces as assert_max_traces
from chex._src.asserts import assert_not_both_none as assert_not_both_none
from chex._src.asserts import assert_numerical_grads as assert_numerical_grads
from chex._src.asserts import assert_rank as assert_rank
from chex._src.asserts import assert_scalar as assert_scalar
from chex._src.asserts import assert_scalar_in as assert_scalar_in
from chex._src.asserts import assert_scalar_negative as assert_scalar_negative
from chex._src.asserts import assert_scalar_non_negative as assert_scalar_non_negative
from chex._src.asserts import assert_scalar_positive as assert_scalar_positive
from chex._src.asserts import assert_shape as assert_shape
from chex._src.asserts import assert_size as assert_size
from chex._src.asserts import assert_tpu_available as assert_tpu_available
from chex._src.asserts import assert_tree_all_finite as assert_tree_all_finite
from chex._src.asserts import assert_tree_has_only_ndarrays as assert_tree_has_only_ndarrays
from chex._src.asserts import assert_tree_is_on_device as assert_tree_is_on_device
from chex._src.asserts import assert_tree_is_on_host as assert_tree_is_on_host
from chex._src.asserts import assert_tree_is_sharded as assert_tree_is_sharded
from chex._src.asserts import assert_tree_no_nones as assert_tree_no_nones
from chex._src.asserts import assert_tree_shape as assert_tree_shape
from chex._src.asserts import assert_tree_shape_prefix as assert_tree_shape_prefix
from chex._src.asserts import assert_tree_shape_suffix as assert_tree_shape_suffix
from chex._src.asserts import assert_trees_all_close as assert_trees_all_close
from chex._src.asserts import assert_trees_all_close_ulp as assert_trees_all_close_ulp
from chex._src.asserts import assert_trees_all_equal as assert_trees_all_equal
from chex._src.asserts import assert_trees_all_equal_comparator as assert_trees_all_equal_comparator
from chex._src.asserts import assert_trees_all_equal_dtypes as assert_trees_all_equal_dtypes
from chex._src.asserts import assert_trees_all_equal_shapes as assert_trees_all_equal_shapes
from chex._src.asserts import assert_trees_all_equal_shapes_and_dtypes as assert_trees_all_equal_shapes_and_dtypes
from chex._src.asserts import assert_trees_all_equal_sizes as assert_trees_all_equal_sizes
from chex._src.asserts import assert_trees_all_equal_structs as assert_trees_all_equal_structs
from chex._src.asserts import assert_type as assert_type
from chex._src.asserts import clear_trace_counter as clear_trace_counter
from chex._src.asserts import disable_asserts as disable_asserts
from chex._src.asserts import enable_asserts as enable_asserts
from chex._src.asserts import if_args_not_none as if_args_not_none
from chex._src.asserts_chexify import ChexifyChecks as ChexifyChecks
from chex._src.asserts_chexify import block_until_chexify_assertions_complete as block_until_chexify_assertions_complete
from chex._src.asserts_chexify import chexify as chexify
from chex._src.asserts_chexify import with_jittable_assertions as with_jittable_assertions
from chex._src.dataclass import dataclass as dataclass
from chex._src.dataclass import mappable_dataclass as mappable_dataclass
from chex._src.dataclass import register_dataclass_type_with_jax_tree_util as register_dataclass_type_with_jax_tree_util
from chex._src.dimensions import Dimensions as Dimensions
from chex._src.fake import fake_jit as fake_jit
from chex._src.fake import fake_pmap as fake_pmap
from chex._src.fake import fake_pmap_and_jit as fake_pmap_and_jit
from chex._src.fake import set_n_cpu_devices as set_n_cpu_devices
from chex._src.pytypes import Array as Array
from chex._src.pytypes import ArrayBatched as ArrayBatched
from chex._src.pytypes import ArrayDevice as ArrayDevice
from chex._src.pytypes import ArrayDeviceTree as ArrayDeviceTree
from chex._src.pytypes import ArrayDType as ArrayDType
from chex._src.pytypes import ArrayNumpy as ArrayNumpy
from chex._src.pytypes import ArrayNumpyTree as ArrayNumpyTree
from chex._src.pytypes import ArraySharded as ArraySharded
from chex._src.pytypes import ArrayTree as ArrayTree
from chex._src.pytypes import Device as Device
from chex._src.pytypes import Numeric as Numeric
from chex._src.pytypes import PRNGKey as PRNGKey
from chex._src.pytypes import PyTreeDef as PyTreeDef
from chex._src.pytypes import Scalar as Scalar
from chex._src.pytypes import Shape as Shape
from chex._src.restrict_backends import restrict_backends as restrict_backends
from chex._src.variants import ChexVariantType as ChexVariantType
from chex._src.variants import TestCase as TestCase
from chex._src.variants import all_variants as all_variants
from chex._src.variants import params_product as params_product
from chex._src.variants import variants as variants
from chex._src.warnings import create_deprecated_function_alias as create_deprecated_function_alias
from chex._src.warnings import warn_deprecated_function as warn_deprecated_function
from chex._src.warnings import warn_keyword_args_only_in_future as warn_keyword_args_only_in_future
from chex._src.warnings import warn_only_n_pos_args_in_future as warn_only_n_pos_args_in_future

__version__: str

# In the order of the library, which its checked type includes.
__all__ = (  # noqa: RUF022
    "all_variants",
    "Array",
    "ArrayBatched",
    "ArrayDevice",
    "ArrayDeviceTree",
    "ArrayDType",
    "ArrayNumpy",
    "ArrayNumpyTree",
    "ArraySharded",
    "ArrayTree",
    "ChexifyChecks",
    "assert_axis_dimension",
    "assert_axis_dimension_comparator",
    "assert_axis_dimension_gt",
    "assert_axis_dimension_gteq",
    "assert_axis_dimension_lt",
    "assert_axis_dimension_lteq",
    "assert_devices_available",
    "assert_equal",
    "assert_equal_rank",
    "assert_equal_shape",
    "assert_equal_shape_prefix",
    "assert_equal_shape_suffix",
    "assert_equal_size",
    "assert_exactly_one_is_none",
    "assert_gpu_available",
    "assert_is_broadcastable",
    "assert_is_divisible",
    "assert_max_traces",
    "assert_not_both_none",
    "assert_numerical_grads",
    "assert_rank",
    "assert_scalar",
    "assert_scalar_in",
    "assert_scalar_negative",
    "assert_scalar_non_negative",
    "assert_scalar_positive",
    "assert_shape",
    "assert_size",
    "assert_tpu_available",
    "assert_tree_all_finite",
    "assert_tree_has_only_ndarrays",
    "assert_tree_is_on_device",
    "assert_tree_is_on_host",
    "assert_tree_is_sharded",
    "assert_tree_no_nones",
    "assert_tree_shape",
    "assert_tree_shape_prefix",
    "assert_tree_shape_suffix",
    "assert_trees_all_close",
    "assert_trees_all_close_ulp",
    "assert_trees_all_equal",
    "assert_trees_all_equal_comparator",
    "assert_trees_all_equal_dtypes",
    "assert_trees_all_equal_shapes",
    "assert_trees_all_equal_shapes_and_dtypes",
    "assert_trees_all_equal_sizes",
    "assert_trees_all_equal_structs",
    "assert_type",
    "block_until_chexify_assertions_complete",
    "chexify",
    "ChexVariantType",
    "clear_trace_counter",
    "create_deprecated_function_alias",
    "dataclass",
    "Device",
    "Dimensions",
    "disable_asserts",
    "enable_asserts",
    "fake_jit",
    "fake_pmap",
    "fake_pmap_and_jit",
    "if_args_not_none",
    "mappable_dataclass",
    "Numeric",
    "params_product",
    "PRNGKey",
    "PyTreeDef",
    "register_dataclass_type_with_jax_tree_util",
    "restrict_backends",
    "Scalar",
    "set_n_cpu_devices",
    "Shape",
    "TestCase",
    "variants",
    "warn_deprecated_function",
    "warn_keyword_args_only_in_future",
    "warn_only_n_pos_args_in_future",
    "with_jittable_assertions",
)
