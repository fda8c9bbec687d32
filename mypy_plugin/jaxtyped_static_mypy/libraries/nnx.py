"""Flax NNX: modules are pytrees that can be changed at any time; `nnx.static(...)` is a static field."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts
from ._library import Declaration, Library

_BASES = frozenset({"flax.nnx.pytreelib.Pytree", "flax.nnx.module.Module", "flax.nnx.object.Object"})


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    """Compared by identity, unless `nnx.dataclass` makes it a dataclass, which another row declares."""
    if not any(base.fullname in _BASES for base in info.mro):
        return None
    return Declaration(frozen=False, eq=False, freeze="pass it as a dynamic argument")


LIBRARY = Library(
    declare=_declare,
    pytree_bases=_BASES,
    static_specifiers=frozenset({"flax.nnx.pytreelib.static", "flax.nnx.static"}),
)
