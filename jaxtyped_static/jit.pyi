from jaxtyped_static import JitView as JitView
from jaxtyped_static import jit as jit
from jaxtyped_static import wrapped as wrapped

__all__ = ["JitView", "jit", "wrapped"]
