"""The static side of JAX in type annotations: declared once, checked by mypy, applied at run time."""

from jaxtyped_static.errors import JitArgumentsError as JitArgumentsError
from jaxtyped_static.errors import MarkerError as MarkerError
from jaxtyped_static.jit import JitView as JitView
from jaxtyped_static.jit import jit as jit
from jaxtyped_static.jit import wrapped as wrapped
from jaxtyped_static.markers import Dynamic as Dynamic
from jaxtyped_static.markers import Static as Static
from jaxtyped_static.signature import StaticParams as StaticParams
from jaxtyped_static.signature import static_params as static_params

__all__ = [
    "Dynamic",
    "JitArgumentsError",
    "JitView",
    "MarkerError",
    "Static",
    "StaticParams",
    "jit",
    "static_params",
    "wrapped",
]
