"""Which files belong to the libraries that the tables of the checker know by name."""

import os
from typing import Final

from ..knowledge.full_names import INSTALLED

# Their errors are not shown, so most settings do not affect what mypy caches for them.
LIBRARIES: Final = frozenset({"jax", "jaxlib", "numpy"})
_TYPESHED: Final = f"{os.sep}mypy{os.sep}typeshed{os.sep}"


def is_of_library(module: str, path: str) -> bool:
    """Whether a module, by its name and its path, is one of these or of the standard library."""
    if _TYPESHED in path:
        return True
    return module.partition(".")[0] in LIBRARIES and any(folder in path for folder in INSTALLED)
