"""static-eq: equality is coarser than behaviour: two different configurations share one compilation, silently."""

from typing import Final

from ..classes.reasons import Reason
from ..reporting.contract import ContractRule
from ..reporting.mechanical import COMPARE_FIELD
from ..reporting.messages import Message
from . import CODES

CODE: Final = CODES["static-eq"]

CONTRACT: Final = ContractRule(
    CODE,
    {
        Reason.FIELD_NOT_COMPARED: Message(
            'values that differ in "{subject}" are equal: the field is not compared',
            f"{COMPARE_FIELD}, or pass it as a separate argument",
        ),
        Reason.FIELD_AFTER_EQ: Message(
            'values that differ in "{subject}" are equal: the inherited {detail}.__eq__ leaves it out',
            "give the class an __eq__ and a __hash__ that include it, as @dataclass(frozen=True) does",
        ),
        Reason.ATTRIBUTE_NOT_COMPARED: Message(
            'values that differ in "{subject}" are equal: {detail}.__eq__ leaves it out',
            "compare it in __eq__",
        ),
        Reason.NOTHING_COMPARED: Message(
            "any two values of {subject} are equal: its __eq__ compares no attribute",
            "compare every attribute in it",
        ),
        Reason.CLASS_NOT_COMPARED: Message(
            "{subject} is equal to objects of other classes: {detail}.__eq__ does not compare the class",
            "compare type(self) with type(other) in it",
        ),
    },
)
