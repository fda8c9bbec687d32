"""static-cache: a cache on a static object captures a tracer, which the next trace then uses."""

from typing import Final

from mypy.nodes import Context

from ..caches import caching_decorator
from ..codes import STATIC_CACHE
from ..reasons import Fault, Reason
from ._rule import Rule, Words


def _place(fault: Fault) -> Context | None:
    return caching_decorator(fault.declared, fault.detail) if fault.declared is not None else None


RULE: Final = Rule(
    STATIC_CACHE,
    {
        Reason.CACHED_ARRAY: Words(
            "caches an array on a static object: the first trace leaves a tracer there, which the next one uses",
            "compute it with NumPy or under jax.ensure_compile_time_eval(), or drop the cache",
        ),
    },
    place=_place,
)
