"""beartype: checks annotations when a function is called."""

from ..knowledge.function_rows import SAME_FUNCTION
from ._library import Library

_NAMES = ("beartype._decor.decormain.beartype", "beartype._decor.decorcache.beartype", "beartype.beartype")

LIBRARY = Library(functions=dict.fromkeys(_NAMES, SAME_FUNCTION))
