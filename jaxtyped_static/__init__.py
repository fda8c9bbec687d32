"""The static side of JAX in type annotations: declared once, checked by mypy, applied at run time."""

from jaxtyped_static.contract import check_static as check_static
from jaxtyped_static.contract_laws import check_static_type as check_static_type
from jaxtyped_static.dynamic_dataclass import dynamic_dataclass as dynamic_dataclass
from jaxtyped_static.environment import switch_on as _switch_on
from jaxtyped_static.errors import JitArgumentsError as JitArgumentsError
from jaxtyped_static.errors import MarkerError as MarkerError
from jaxtyped_static.errors import StaticContractError as StaticContractError
from jaxtyped_static.errors import TooManyTracesError as TooManyTracesError
from jaxtyped_static.explain import Explanation as Explanation
from jaxtyped_static.explain import explain as explain
from jaxtyped_static.fields import field as field
from jaxtyped_static.guard import guard as guard
from jaxtyped_static.jit import JitView as JitView
from jaxtyped_static.jit import jit as jit
from jaxtyped_static.jit import wrapped as wrapped
from jaxtyped_static.markers import Dynamic as Dynamic
from jaxtyped_static.markers import Static as Static
from jaxtyped_static.signature import StaticParams as StaticParams
from jaxtyped_static.signature import static_params as static_params
from jaxtyped_static.static_dataclass import static_dataclass as static_dataclass
from jaxtyped_static.trace_limits import TraceLimit as TraceLimit
from jaxtyped_static.trace_limits import assert_max_traces as assert_max_traces
from jaxtyped_static.traces.report import Trace as Trace

__all__ = [
    "Dynamic",
    "Explanation",
    "JitArgumentsError",
    "JitView",
    "MarkerError",
    "Static",
    "StaticContractError",
    "StaticParams",
    "TooManyTracesError",
    "Trace",
    "TraceLimit",
    "assert_max_traces",
    "check_static",
    "check_static_type",
    "dynamic_dataclass",
    "explain",
    "field",
    "guard",
    "jit",
    "static_dataclass",
    "static_params",
    "wrapped",
]

_switch_on()
