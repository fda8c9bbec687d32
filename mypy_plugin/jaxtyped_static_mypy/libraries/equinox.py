"""Equinox: every `Module` is a frozen dataclass and a pytree; `eqx.field(static=True)` declares a static field."""

from ..knowledge.function_rows import Calls, Derives, Effect, JitFunction, KnownFunction, Receives, Updates
from ..knowledge.type_rows import KnownType, Trait
from ._library import Declaration, Library, declared_below

_BASES = frozenset({"equinox._module._module.Module", "equinox._module.Module", "equinox.Module"})
# What it makes is a module that holds the function: new if that is.
_HOLDS_FUNCTION = KnownFunction(effects=Effect.PASSES_ON)
_UNHASHABLE = KnownFunction(effects=Effect.PASSES_ON | Effect.MAKES_MODULE)
_BY_FIRST = Calls(((0, "fun"),), Receives.FIRST, stages=False, keeps_values=True, arrays_only=True)
_JACOBIAN = _HOLDS_FUNCTION._replace(calls=_BY_FIRST, derives=Derives.JACOBIAN)
_EDITS = KnownFunction(effects=Effect.ONLY_RETURNS | Effect.EDITS_TREE)
_FIELDS = ("equinox._module._field", "equinox._module", "equinox")

LIBRARY = Library(
    packages=("equinox.",),
    declare=declared_below(_BASES, Declaration(frozen=True, eq=True, eq_takes_all=True)),
    makes_dataclasses=True,
    pytree_bases=_BASES,
    tree_methods=_BASES,
    callable_trees=("eqx", "equinox"),
    splitting_functions=frozenset({"equinox._filters.partition", "equinox.partition"}),
    tree_editor="eqx.tree_at",
    has_layers=True,
    functions={
        "equinox._jit.filter_jit": KnownFunction(compiles=JitFunction(filters=True)),
        "equinox._ad.filter_grad": _UNHASHABLE._replace(calls=_BY_FIRST, derives=Derives.GRADIENT),
        "equinox._ad.filter_value_and_grad": _UNHASHABLE._replace(calls=_BY_FIRST, derives=Derives.VALUE_AND_GRADIENT),
        "equinox._ad.filter_jacfwd": _JACOBIAN,
        "equinox._ad.filter_jacrev": _JACOBIAN,
        "equinox._ad.filter_hessian": _JACOBIAN,
        "equinox._ad.filter_checkpoint": _HOLDS_FUNCTION,
        "equinox._vmap_pmap.filter_vmap": _UNHASHABLE,
        "equinox._update.apply_updates": KnownFunction(updates=Updates.SUMMED),
        **dict.fromkeys(("equinox._tree.tree_at", "equinox.tree_at"), _EDITS),
    },
    types={"equinox._jit._JitWrapper": KnownType(traits=Trait.FILTERED)},
    static_field_options=(("static", True),),
    static_specifiers=frozenset(f"{module}.static_field" for module in _FIELDS),
    abstract_fields=frozenset({"equinox._module._better_abstract.AbstractVar", "equinox._better_abstract.AbstractVar"}),
)
