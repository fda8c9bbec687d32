from jaxtyped_static import TraceLimit as TraceLimit
from jaxtyped_static import assert_max_traces as assert_max_traces

__all__ = ["TraceLimit", "assert_max_traces"]
