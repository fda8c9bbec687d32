"""immutabledict: the dict that can be a static value, which the advice names."""

from typing import Final

from ..knowledge.function_rows import KnownFunction, Role
from ..knowledge.type_rows import UNKNOWN, Trait, container
from ._library import Library

_NAME: Final = "immutabledict.immutabledict"

LIBRARY = Library(
    is_advised=True,
    types={_NAME: container(UNKNOWN, Trait.HOLDS | Trait.LOOKED_UP)},
    functions={_NAME: KnownFunction(roles=Role.PASSES_ON)},
)
