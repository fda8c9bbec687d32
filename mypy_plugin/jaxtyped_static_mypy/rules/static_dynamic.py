"""static-dynamic: something traced sits inside something static: arrays are neither hashable nor comparable."""

from typing import Final

from ..codes import STATIC_DYNAMIC
from ..reasons import Reason
from ._rule import Rule, Words

_PASS_IT: Final = "pass it as a dynamic argument of its own"

RULE: Final = Rule(
    STATIC_DYNAMIC,
    {
        Reason.ARRAY: Words("{subject} is an array", f"{_PASS_IT}, or store a tuple of numbers"),
        Reason.DYNAMIC_MARKER: Words("{subject} is marked dynamic", _PASS_IT),
        Reason.PYTREE_DATA: Words(
            '{subject} is a pytree with the data field "{detail}"', "pass it as a dynamic argument"
        ),
    },
)
