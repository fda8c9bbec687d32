"""frozendict: a dict that can be a static value."""

from ..knowledge.type_rows import UNKNOWN, Trait, container
from ._library import Library

LIBRARY = Library(types={"frozendict.frozendict": container(UNKNOWN, Trait.HOLDS | Trait.LOOKED_UP)})
