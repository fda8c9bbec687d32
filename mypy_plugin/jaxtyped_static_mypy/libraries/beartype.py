"""beartype: checks annotations when a function is called."""

from ..knowledge.function_rows import SAME_FUNCTION
from ._library import Library

LIBRARY = Library(functions={"beartype._decor.decormain.beartype": SAME_FUNCTION, "beartype.beartype": SAME_FUNCTION})
