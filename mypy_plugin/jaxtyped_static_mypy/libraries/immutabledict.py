"""immutabledict: the dict that can be a static value, which the advice names."""

from ..knowledge.type_rows import UNKNOWN, Trait, container
from ._library import Library

LIBRARY = Library(types={"immutabledict.immutabledict": container(UNKNOWN, Trait.HOLDS | Trait.LOOKED_UP)})
