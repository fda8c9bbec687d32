"""Equinox: every `Module` is a frozen dataclass and a pytree; `eqx.field(static=True)` is a static field."""

from mypy.nodes import TypeInfo

from ..class_facts import Facts
from ._library import Declaration, Library

_BASES = frozenset({"equinox._module._module.Module", "equinox._module.Module", "equinox.Module"})


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    if not any(base.fullname in _BASES for base in info.mro):
        return None
    return Declaration(frozen=True, eq=True, eq_takes_all=True)


LIBRARY = Library(declare=_declare, pytree_bases=_BASES, static_field_options=(("static", True),))
