"""static-dynamic: something traced sits inside something static: arrays are neither hashable nor comparable."""

from typing import Final

from ..codes import STATIC_DYNAMIC
from ..reasons import Reason
from ._rule import Rule, Words

_MAKE_IT: Final = "make it a dynamic argument or a data field"

RULE: Final = Rule(
    STATIC_DYNAMIC,
    {
        Reason.ARRAY: Words("{subject} is an array", f"{_MAKE_IT}, or store a tuple of numbers"),
        Reason.DYNAMIC_MARKER: Words("{subject} is marked dynamic", _MAKE_IT),
        Reason.PYTREE_DATA: Words('{subject} is a pytree with the data field "{detail}"', _MAKE_IT),
    },
)
