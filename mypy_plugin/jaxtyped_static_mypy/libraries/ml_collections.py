"""ml_collections: a `ConfigDict` can change; its frozen sibling can be a static value."""

from ..knowledge.type_rows import container, mutable
from ._library import Library

_MODULE = "ml_collections.config_dict.config_dict"

LIBRARY = Library(
    types={f"{_MODULE}.ConfigDict": mutable("FrozenConfigDict"), f"{_MODULE}.FrozenConfigDict": container()},
)
