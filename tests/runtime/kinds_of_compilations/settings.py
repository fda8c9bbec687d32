"""JAX's settings, and its caches."""

from __future__ import annotations

from typing import Final

from tests.runtime.kinds_of_compilations.kind import Kind

_F: Final = """
@jax.jit
def f(x):
    return x @ x
x, y = jnp.ones(3), jnp.ones(4)
"""


def _within(context: str, says: str) -> str:
    return f"""{_F}
# recorded:
f(x)  #: first f
with {context}:
    f(x)  #: again f <- {says}
    f(x)
f(x)
"""


KINDS: Final[tuple[Kind, ...]] = (
    Kind("enable_x64", _within("jax.enable_x64(True)", "jax_enable_x64: False → True"), ">=0.8"),
    Kind(
        "enable_x64 by the configuration",
        _F
        + """
# recorded:
f(x)  #: first f
jax.config.update("jax_enable_x64", True)
try:
    f(x)  #: again f <- jax_enable_x64: False → True
    f(np.ones(3))  #: again f <- x: float32[3] → float64[3]
finally:
    jax.config.update("jax_enable_x64", False)
""",
    ),
    Kind("default_matmul_precision", _within('jax.default_matmul_precision("float32")', "default_matmul_precision")),
    Kind("numpy_dtype_promotion", _within('jax.numpy_dtype_promotion("strict")', "numpy_dtype_promotion")),
    Kind("numpy_rank_promotion", _within('jax.numpy_rank_promotion("raise")', "numpy_rank_promotion")),
    Kind(
        "disable_jit runs operations",
        """
@jax.jit
def f(x):
    return jnp.sin(x)  #: operation sin
x = jnp.ones(3)
# recorded:
f(x)  #: first f
with jax.disable_jit():
    f(x)
""",
    ),
    Kind(
        "settings that are no other program",
        _F
        + """
# recorded:
f(x)  #: first f
with jax.debug_nans(True), jax.default_prng_impl("rbg"), jax.log_compiles(False):
    f(x)
""",
    ),
    Kind(
        "jax.clear_caches",
        _F
        + """
# recorded:
f(x)  #: first f
f(y)  #: again f <- x: float32[3] → float32[4]
jax.clear_caches()
f(x)  #: again f <- jax.clear_caches() was called
z = x + x  #: operation add
jax.clear_caches()
z = x + x  #: operation add
""",
    ),
    Kind(
        "the clear_cache of a function",
        _F
        + """
# recorded:
f(x)  #: first f
f.clear_cache()
f(x)  #: again f <- clear_cache
""",
    ),
    Kind(
        "what was compiled before the recording",
        _F
        + """
f(x)
# recorded:
f(x)
f(y)  #: first f
""",
    ),
    Kind(
        "a setting and a shape at once",
        _F
        + """
# recorded:
f(x)  #: first f
with jax.default_matmul_precision("float32"):
    f(y)  #: again f <- x: float32[3] → float32[4]
""",
    ),
    Kind(
        "a context of profiling is no other program",
        _F
        + """
# recorded:
f(x)  #: first f
with jax.profiler.TraceAnnotation("mine"):
    f(x)
""",
    ),
)
