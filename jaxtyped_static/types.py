"""The classes of the results of the package's functions, for annotations.

JitView         of `jitted`: a jitted function and the attributes that JAX gives it
StaticParams    of `static_params`: positions and names of static parameters
Explanation     of `explain`: the recorded traces
Trace           one of these traces
GuardBlock      of `guard`: a context manager and decorator
Recording       of `record`: what JAX prepared in a block
CompilationBlock    of `no_compilation`: a context manager
"""

from jaxtyped_static._guard import GuardBlock as GuardBlock
from jaxtyped_static._jit import JitView as JitView
from jaxtyped_static._no_compilation import CompilationBlock as CompilationBlock
from jaxtyped_static._record import Recording as Recording
from jaxtyped_static._signature import StaticParams as StaticParams
from jaxtyped_static._traces.explanation import Explanation as Explanation
from jaxtyped_static._traces.report import Trace as Trace

__all__ = ["CompilationBlock", "Explanation", "GuardBlock", "JitView", "Recording", "StaticParams", "Trace"]
