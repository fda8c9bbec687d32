"""static-eq: equality is coarser than behaviour: two different configurations share one compilation, silently."""

from typing import Final

from ..codes import STATIC_EQ
from ..judgement.reasons import Reason
from ._rule import Rule, Words

RULE: Final = Rule(
    STATIC_EQ,
    {
        Reason.FIELD_NOT_COMPARED: Words(
            'values that differ in "{subject}" are equal: the field is not compared',
            "remove compare=False (in attrs, eq=False), or pass it as an argument of its own",
        ),
        Reason.FIELD_AFTER_EQ: Words(
            'values that differ in "{subject}" are equal: the inherited {detail}.__eq__ leaves it out',
            "give the class an __eq__ and a __hash__ that include it, as @dataclass(frozen=True) does",
        ),
        Reason.ATTRIBUTE_NOT_COMPARED: Words(
            'values that differ in "{subject}" are equal: {detail}.__eq__ leaves it out',
            "compare it in __eq__",
        ),
        Reason.NOTHING_COMPARED: Words(
            "any two values of {subject} are equal: its __eq__ compares no attribute",
            "compare every attribute in it",
        ),
        Reason.CLASS_NOT_COMPARED: Words(
            "{subject} is equal to objects of other classes: {detail}.__eq__ does not compare the class",
            "compare type(self) with type(other) in it",
        ),
    },
)
