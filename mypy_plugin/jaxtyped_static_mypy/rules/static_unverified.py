"""static-unverified (strict mode only): nothing proves the contract."""

from typing import Final

from ..codes import STATIC_UNVERIFIED
from ..judgement.reasons import Reason
from ._rule import Rule, Words

_NAME_ONE: Final = "name a concrete frozen type, or vouch for it in the setting static_types"

RULE: Final = Rule(
    STATIC_UNVERIFIED,
    {
        Reason.ANY: Words("its type is Any, which proves nothing", "name a concrete frozen type"),
        Reason.UNANNOTATED: Words("it has no annotation", "annotate it with a concrete frozen type"),
        Reason.ABSTRACT: Words("{subject} says nothing of the value's class", _NAME_ONE),
        Reason.FREE_TYPE_VARIABLE: Words("the type variable {subject} may be any type", "give it a frozen bound"),
        Reason.UNREAD_CLASS: Words("the checker cannot see how {subject} is declared", _NAME_ONE),
        Reason.UNFORESEEN: Words("the checker does not know {subject}", _NAME_ONE),
    },
    strict_only=True,
)
