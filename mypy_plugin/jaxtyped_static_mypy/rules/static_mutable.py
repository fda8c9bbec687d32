"""static-mutable: the value can change after it was hashed, and JAX would silently reuse the old compilation."""

from typing import Final

from ..classes.reasons import Reason
from ..reporting.actions import USE_INSTEAD, Action, Alternative
from ..reporting.contract_rule import ContractRule
from ..reporting.messages import Message
from . import CODES

CODE: Final = CODES["static-mutable"]

CONTRACT: Final = ContractRule(
    CODE,
    {
        Reason.NOT_FROZEN: Message(
            "{subject} is not frozen", Alternative("{detail}", Action.FREEZE, needs=("frozen_by",))
        ),
        Reason.ASSIGNABLE_ATTRIBUTE: Message(
            '{subject} is mutable: "{detail}" can be assigned',
            "make it a frozen dataclass, or declare its attributes Final",
        ),
        Reason.SETTABLE_PROPERTY: Message(
            '{subject} is mutable: the property "{detail}" has a setter', "remove the setter"
        ),
        Reason.ASSIGNED_LATER: Message(
            '{subject} is mutable: a method assigns "{detail}" later',
            "assign it only while the object is being constructed",
        ),
        Reason.MEMO_OF_ARRAYS: Message(
            '{subject} caches arrays in "{detail}": the first trace leaves a tracer there, which the next one uses',
            "compute them with NumPy, or do not cache them",
        ),
        Reason.MUTABLE_TYPE: Message("{subject} is mutable", USE_INSTEAD),
        Reason.MUTABLE_MEMBER: Message(
            "the value of {subject}.{detail} is mutable",
            "use a tuple, a frozenset or an immutabledict (pip install immutabledict) instead",
        ),
        Reason.ASSIGNED_BY_METHOD: Message(
            '{subject} is mutable: a method assigns "{detail}"', "move that state out of the enum"
        ),
        Reason.TYPED_DICT: Message("{subject} is a TypedDict, a mutable dict", "use a frozen dataclass instead"),
    },
    where_compared={
        Reason.MUTABLE_TYPE: Message(
            "{subject} is mutable, and a change goes unnoticed: JAX compares the object with itself", USE_INSTEAD
        ),
    },
)
