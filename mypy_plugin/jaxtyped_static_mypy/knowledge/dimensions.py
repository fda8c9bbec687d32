"""Functions of JAX, by area and name, that tell whether their result has dimensions."""

from collections.abc import Mapping
from typing import Final

_MAKING: Final = "append arange atleast_1d concatenate eye hstack identity linspace ravel stack tile vstack"
_ITEMWISE: Final = "abs cos exp log negative sin sqrt square tanh"
_REDUCING: Final = "max mean min prod std sum var"

# The result has some, whatever they get.
MAKING_DIMENSIONS: Final = frozenset(f"numpy.{name}" for name in _MAKING.split()) | {"lax.iota", "nn.one_hot"}
OF_LISTS: Final = frozenset({"numpy.array", "numpy.asarray"})  # if they get a list
# As many as the shape says, which is this parameter.
OF_SHAPES: Final[Mapping[str, int]] = {
    "numpy.empty": 0,
    "numpy.full": 0,
    "numpy.ones": 0,
    "numpy.reshape": 1,
    "numpy.zeros": 0,
}
# The result has those of the argument.
KEEPING_DIMENSIONS: Final = frozenset(f"numpy.{name}" for name in _ITEMWISE.split()) | {
    "nn.relu",
    "nn.sigmoid",
    "nn.softmax",
}
# With an array alone, the result has none.
REDUCING_ALL: Final = frozenset(f"numpy.{name}" for name in _REDUCING.split())
MAKING_KEYS: Final = frozenset({"random.key"})  # one
