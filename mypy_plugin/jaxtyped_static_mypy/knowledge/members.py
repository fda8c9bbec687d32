"""Attributes and methods, by their names: those of arrays and of containers, whatever class has them."""

from typing import Final

_ARRAY_METHODS: Final = """
    abs all any argmax argmin argpartition argsort astype choose clip compress conj conjugate copy cumprod cumsum
    diagonal dot flatten get max mean min nonzero prod ptp ravel repeat reshape round searchsorted sort squeeze std sum
    swapaxes take trace transpose var view add apply divide mul multiply power set subtract
"""
_CONCRETE_ATTRIBUTES: Final = """
    __class__ __doc__ __module__ __name__ aval dtype itemsize name nbytes ndim shape sharding size weak_type
"""
_CHANGING: Final = """
    add append appendleft clear discard extend extendleft insert move_to_end pop popitem popleft remove reverse
    setdefault sort update
"""

# Of arrays

# Attributes and methods of arrays that are arrays again; shape, dtype, ndim, size and all others are concrete.
ARRAY_ATTRIBUTES: Final = frozenset({"T", "mT", "at", "real", "imag"})
ARRAY_METHODS: Final = frozenset(_ARRAY_METHODS.split())
# Those that no dict and no object of a user's class is likely to have.
UNAMBIGUOUS_METHODS: Final = ARRAY_METHODS - frozenset(
    {"add", "apply", "choose", "clip", "copy", "get", "multiply", "power", "repeat", "set", "sort", "take", "view"}
)
# Methods that ask an array for its value.
CONVERTING_METHODS: Final = frozenset({"item", "tolist"})

# Of a tracer, or of anything that holds one, and concrete all the same.
CONCRETE_ATTRIBUTES: Final = frozenset(_CONCRETE_ATTRIBUTES.split())
CONCRETE_METHODS: Final = frozenset({"format", "get_shape", "keys"})

# Of containers

# Methods of lists, dicts and sets that change them, where nothing is done with their result.
CHANGING_METHODS: Final = frozenset(_CHANGING.split())
# Those of lists and dicts after which what they hold is no longer known.
MUTATING_METHODS: Final = CHANGING_METHODS - {"add", "appendleft", "discard", "extendleft", "move_to_end", "popleft"}
# Those that tell by their name what they do, of whatever object; with and without those of dicts.
SEQUENCE_METHODS: Final = frozenset({"append", "appendleft", "extend", "extendleft", "insert"})
TELLING_METHODS: Final = SEQUENCE_METHODS | {"pop", "popitem", "popleft", "setdefault"}
# Those that return what the container holds, or a default that they are given.
ELEMENT_METHODS: Final = frozenset({"get", "pop", "setdefault", "items", "values", "keys", "copy", "__getitem__"})
