"""Tools for tests.

    check_static_type   tests the laws of a static class on examples, or on values that Hypothesis generates
    assert_max_traces   fails if a compiled function is traced too often, and says why it was
    TraceLimit          what `assert_max_traces` returns: a context manager and decorator

A pytest plugin adds fixtures for these, and a guard around each test: `pytest --jaxtyped-static`.
"""

from jaxtyped_static._contract_laws import check_static_type as check_static_type
from jaxtyped_static._trace_limits import TraceLimit as TraceLimit
from jaxtyped_static._trace_limits import assert_max_traces as assert_max_traces

__all__ = ["TraceLimit", "assert_max_traces", "check_static_type"]
