"""typeguard: checks annotations when a function is called."""

from ..knowledge.function_rows import SAME_FUNCTION
from ._library import Library

LIBRARY = Library(
    functions=dict.fromkeys(("typeguard._decorators.typechecked", "typeguard.typechecked"), SAME_FUNCTION)
)
