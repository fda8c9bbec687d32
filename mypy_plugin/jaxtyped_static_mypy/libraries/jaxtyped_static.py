"""Our own classes. A `static_dataclass` is frozen, compared by value, and a pytree without leaves.

A `dynamic_dataclass` is a frozen dataclass and a pytree, whose static fields are those marked `Static[...]`.
"""

from typing import Final

from ..knowledge.full_names import PACKAGE
from ..knowledge.function_rows import NEW_FUNCTION, KnownFunction, New
from ..knowledge.jax_functions import JAX_JIT
from ..knowledge.type_rows import NEVER, Trait, static
from ._library import Declaration, Library, declared_by

STATIC_DATACLASS: Final = frozenset({f"{PACKAGE}.static_dataclass", f"{PACKAGE}._static_dataclass.static_dataclass"})
DYNAMIC_DATACLASS: Final = frozenset(
    {f"{PACKAGE}.dynamic_dataclass", f"{PACKAGE}._dynamic_dataclass.dynamic_dataclass"}
)
# Programs are checked against the stubs; the names with an underscore are those of the code behind them.
_JIT: Final = (f"{PACKAGE}.jit", f"{PACKAGE}._jit.jit")
# The types of a jitted function's attributes.
JIT_VIEWS: Final = (f"{PACKAGE}.types.JitView", f"{PACKAGE}._jit.JitView")

# The type of the attributes of a jitted function behind a wrapper: all are `Any`.
WRAPPER: Final = f"{PACKAGE}.types._Wrapper"

LIBRARY = Library(
    declare=declared_by(
        STATIC_DATACLASS | DYNAMIC_DATACLASS, Declaration(frozen=True, eq=True, is_frozen_at_once=True)
    ),
    makes_dataclasses=True,
    pytree_decorators=DYNAMIC_DATACLASS,
    static_decorators=STATIC_DATACLASS,
    functions={
        **dict.fromkeys(_JIT, KnownFunction(compiles=JAX_JIT._replace(reads_markers=True), new=New.FUNCTION)),
        f"{PACKAGE}.jitted": NEW_FUNCTION,
        f"{PACKAGE}._jit.jitted": NEW_FUNCTION,
    },
    types=dict.fromkeys((*JIT_VIEWS, WRAPPER), static(NEVER, Trait.COMPILED)),
)
