"""Equinox: every `Module` is a frozen dataclass and a pytree; `eqx.field(static=True)` declares a static field."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts
from ..knowledge.function_rows import JitFunction, KnownFunction
from ._library import Declaration, Library

_BASES = frozenset({"equinox._module._module.Module", "equinox._module.Module", "equinox.Module"})
_FIELDS = ("equinox._module._field", "equinox._module", "equinox")


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    if not any(base.fullname in _BASES for base in info.mro):
        return None
    return Declaration(frozen=True, eq=True, eq_takes_all=True)


LIBRARY = Library(
    packages=("equinox.",),
    declare=_declare,
    pytree_bases=_BASES,
    tree_methods=_BASES,
    callable_trees=("eqx", "equinox"),
    tree_editor="eqx.tree_at",
    has_layers=True,
    functions={"equinox._jit.filter_jit": KnownFunction(compiles=JitFunction(filters=True))},
    static_field_options=(("static", True),),
    static_specifiers=frozenset(f"{module}.static_field" for module in _FIELDS),
    abstract_fields=frozenset({"equinox._module._better_abstract.AbstractVar", "equinox._better_abstract.AbstractVar"}),
)
