"""Equinox: every `Module` is a frozen dataclass and a pytree; `eqx.field(static=True)` is a static field."""

from ._library import Library

LIBRARY = Library(
    pytree_bases=frozenset({"equinox._module._module.Module", "equinox._module.Module", "equinox.Module"}),
    static_field_options=(("static", True),),
)
