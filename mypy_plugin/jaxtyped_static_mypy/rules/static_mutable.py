"""static-mutable: the value can change after it was hashed, and JAX would silently reuse the old compilation."""

from typing import Final

from ..codes import STATIC_MUTABLE
from ..judgement.reasons import Reason
from ._rule import Rule, Words

RULE: Final = Rule(
    STATIC_MUTABLE,
    {
        Reason.NOT_FROZEN: Words("{subject} is not frozen", "{detail}"),
        Reason.ASSIGNABLE_ATTRIBUTE: Words(
            '{subject} is mutable: "{detail}" can be assigned',
            "make it a frozen dataclass, or declare its attributes Final",
        ),
        Reason.SETTABLE_PROPERTY: Words(
            '{subject} is mutable: the property "{detail}" has a setter', "remove the setter"
        ),
        Reason.ASSIGNED_LATER: Words(
            '{subject} is mutable: a method assigns "{detail}" later', "assign it only while the object is made"
        ),
        Reason.MUTABLE_TYPE: Words("{subject} is mutable", "use {detail} instead"),
        Reason.MUTABLE_MEMBER: Words(
            "the value of {subject}.{detail} is mutable",
            "use a tuple, a frozenset or an immutabledict (pip install immutabledict) instead",
        ),
        Reason.ASSIGNED_BY_METHOD: Words(
            '{subject} is mutable: a method assigns "{detail}"', "keep what changes outside the enum"
        ),
        Reason.TYPED_DICT: Words("{subject} is a TypedDict, a mutable dict", "use a frozen dataclass instead"),
    },
)
