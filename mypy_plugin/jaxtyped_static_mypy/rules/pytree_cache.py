"""pytree-cache: a cached property on a pytree, which is built anew whenever it crosses `jit`, `vmap` or `tree.map`."""

from typing import Final

from mypy.nodes import TypeInfo
from mypy.plugin import CheckerPluginInterface

from ..classes import class_model
from ..classes.caches import caching_decorator
from ..codes import PYTREE_CACHE
from ..facts.class_facts import facts_of
from ..names import CACHED_PROPERTY

# NNX updates its modules in place, and hands the same object back.
_KEPT_BASES: Final = "flax.nnx."
_SAYS: Final = (
    "{subject} caches on a pytree: the cache is dropped whenever the object crosses jit, vmap or tree.map, and filled "
    "again in every trace"
)
_ADVICE: Final = "make it a plain property, or a data field that is filled once"


def check_cached_properties(info: TypeInfo, api: CheckerPluginInterface) -> None:
    """Reports each on the line of its decorator."""
    cached = [name for name, (cache, _) in facts_of(info).get("caches", {}).items() if cache == CACHED_PROPERTY]
    if not cached or not class_model.is_pytree(info) or any(b.fullname.startswith(_KEPT_BASES) for b in info.mro):
        return
    for name in (name for name in cached if not class_model.may_hand_on(info, name)):
        api.fail(
            f"{_SAYS.format(subject=f'{info.name}.{name}')}; {_ADVICE}",
            caching_decorator(info, name) or info.defn,
            code=PYTREE_CACHE,
        )
