"""gin: a configuration fills in arguments that a caller leaves out. It has no types.

`@gin.configurable` puts a wrapper with its signature around a function; of a class, around its `__init__`, and returns
the class itself. `@gin.register` returns what it is given.
"""

from ..knowledge.function_rows import Effect, KnownFunction
from ._library import Library

_SAME = Effect.SAME_FUNCTION | Effect.SAME_CLASS
_ROWS = {
    "configurable": KnownFunction(effects=_SAME | Effect.FILLS_ARGUMENTS),
    "constants_from_enum": KnownFunction(effects=Effect.SAME_CLASS),
    "register": KnownFunction(effects=_SAME),
}

LIBRARY = Library(
    functions={f"{module}.{name}": row for module in ("gin", "gin.config") for name, row in _ROWS.items()}
)
