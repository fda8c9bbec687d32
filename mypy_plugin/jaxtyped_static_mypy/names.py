"""Full names, as mypy resolves them, of what the checker recognises outside class models and known types."""

from typing import Final

PACKAGE: Final = "jaxtyped_static"

STATIC_MARKERS: Final = frozenset(
    {
        "jaxtyped_static.markers.Static",
        "jax_dataclasses._dataclasses.Static",
        "jax_dataclasses.Static",
        "jax.typing.Static",
        "jax._src.typing.Static",
    }
)
DYNAMIC_MARKERS: Final = frozenset({"jaxtyped_static.markers.Dynamic"})

PARTIAL: Final = "functools.partial"
INIT_SUBCLASS: Final = ".__init_subclass__"

# What a jitted function is beside its signature: ours (attributes with the function's own parameters) and jax's.
JIT_VIEW: Final = "jaxtyped_static.jit.JitView"
JIT_WRAPPED: Final = "jax._src.pjit.JitWrapped"
