"""What names and numbers mean where nothing better tells: each with the kind of program that asked for it.

- `programs`: where a program starts, what sets it up
- `training`: whole runs, and their parts
- `testing`: tests, benchmarks, and what catches exceptions
- `tracing`: what compiles, what stays on the host, what asks for tracers
"""

from .programs import ENDING as ENDING
from .programs import STARTERS as STARTERS
from .programs import STARTING_METHODS as STARTING_METHODS
from .programs import is_abandoned as is_abandoned
from .programs import is_class as is_class
from .programs import is_clearing as is_clearing
from .programs import is_constant as is_constant
from .programs import is_example as is_example
from .programs import is_main as is_main
from .programs import is_named_set_up as is_named_set_up
from .programs import is_no_package as is_no_package
from .programs import is_of_frames as is_of_frames
from .programs import is_private as is_private
from .programs import is_set_up as is_set_up
from .programs import is_special as is_special
from .programs import is_vendored as is_vendored
from .programs import makes_own as makes_own
from .programs import restores as restores
from .programs import starts_program as starts_program
from .testing import TEST_CASE as TEST_CASE
from .testing import catches as catches
from .testing import is_benchmark_module as is_benchmark_module
from .testing import is_called_by_tests as is_called_by_tests
from .testing import is_fixture as is_fixture
from .testing import is_of_system as is_of_system
from .testing import is_raising as is_raising
from .testing import is_test as is_test
from .testing import is_test_module as is_test_module
from .testing import measures as measures
from .tracing import EMPTYING_CACHES as EMPTYING_CACHES
from .tracing import asks_arrays as asks_arrays
from .tracing import asks_for_tracer as asks_for_tracer
from .tracing import batches as batches
from .tracing import compiles as compiles
from .tracing import compiles_nothing as compiles_nothing
from .tracing import empties_cache as empties_cache
from .tracing import flattens as flattens
from .tracing import holds_children as holds_children
from .tracing import is_class_of_tracers as is_class_of_tracers
from .tracing import is_generator as is_generator
from .tracing import is_of_host as is_of_host
from .tracing import is_of_refs as is_of_refs
from .tracing import is_ref as is_ref
from .tracing import is_ref_class as is_ref_class
from .tracing import is_scalar_type as is_scalar_type
from .tracing import is_setting_without_jit as is_setting_without_jit
from .tracing import keeps_eager as keeps_eager
from .tracing import looks_at as looks_at
from .tracing import stages as stages
from .tracing import takes_time as takes_time
from .tracing import tells_tracers as tells_tracers
from .tracing import transforms as transforms
from .tracing import unflattens as unflattens
from .tracing import wraps as wraps
from .training import FEW_PASSES as FEW_PASSES
from .training import applies_model as applies_model
from .training import counts_experiments as counts_experiments
from .training import counts_parts_of_run as counts_parts_of_run
from .training import fills_up as fills_up
from .training import fits as fits
from .training import is_data_of_pass as is_data_of_pass
from .training import is_graph as is_graph
from .training import is_part_of_graph as is_part_of_graph
from .training import is_part_of_run as is_part_of_run
from .training import is_seed as is_seed
from .training import is_setting as is_setting
from .training import is_whole_run as is_whole_run
from .training import lasts as lasts
from .training import learns as learns
from .training import looks_at_run as looks_at_run
from .training import loops as loops
from .training import may_be_run as may_be_run
from .training import numbers_parts_of_run as numbers_parts_of_run
from .training import takes_long as takes_long
