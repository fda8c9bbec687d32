"""static-unverified: nothing proves that the value keeps the contract. Reported in strict mode only."""

from typing import Final

from ..classes.reasons import Reason
from ..reporting.contract import ContractRule
from ..reporting.messages import Message
from . import CODES

CODE: Final = CODES["static-unverified"]

_NAME_ONE: Final = "name a concrete frozen type, or vouch for it in the setting static_types"

CONTRACT: Final = ContractRule(
    CODE,
    {
        Reason.ANY: Message("its type is Any, which proves nothing", "name a concrete frozen type"),
        Reason.UNANNOTATED: Message("it has no annotation", "annotate it with a concrete frozen type"),
        Reason.ABSTRACT: Message("{subject} does not determine the value's class", _NAME_ONE),
        Reason.FREE_TYPE_VARIABLE: Message("the type variable {subject} may be any type", "give it a frozen bound"),
        Reason.UNREAD_CLASS: Message("the checker cannot see how {subject} is declared", _NAME_ONE),
        Reason.UNFORESEEN: Message("the checker does not know {subject}", _NAME_ONE),
    },
    strict_only=True,
)
