"""immutabledict: a dict that can be a static value, which messages advise."""

from typing import Final

from ..knowledge.function_rows import Effect, KnownFunction
from ..knowledge.type_rows import UNKNOWN, Trait, container
from ._library import Library

_NAME: Final = "immutabledict.immutabledict"

LIBRARY = Library(
    is_advised=True,
    types={_NAME: container(UNKNOWN, Trait.HOLDS | Trait.LOOKED_UP)},
    functions={_NAME: KnownFunction(effects=Effect.PASSES_ON)},
)
