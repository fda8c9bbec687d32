"""The reasons why a value breaks the static contract: the vocabulary of the judgement and the rules."""

from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import TypeInfo


class Reason(Enum):
    """One way to break the contract. Each belongs to one rule, whose file has the message for it."""

    # static-mutable
    NOT_FROZEN = auto()
    ASSIGNABLE_ATTRIBUTE = auto()
    SETTABLE_PROPERTY = auto()
    ASSIGNED_LATER = auto()
    MEMO_OF_ARRAYS = auto()
    MUTABLE_TYPE = auto()
    TYPED_DICT = auto()
    MUTABLE_MEMBER = auto()
    ASSIGNED_BY_METHOD = auto()
    # static-hash
    NEITHER_EQ_NOR_HASH = auto()
    EQ_SWITCHED_OFF = auto()
    EQ_WITHOUT_HASH = auto()
    HASH_WITHOUT_EQ = auto()
    HASH_IS_NONE = auto()
    NOT_HASHABLE = auto()  # a class of a library, which nobody here can change
    EQ_NOT_BOOL = auto()
    IDENTITY_EQ = auto()
    # static-eq
    FIELD_NOT_COMPARED = auto()
    FIELD_AFTER_EQ = auto()
    ATTRIBUTE_NOT_COMPARED = auto()
    NOT_A_FIELD = auto()
    NOTHING_COMPARED = auto()
    CLASS_NOT_COMPARED = auto()
    # static-dynamic
    ARRAY = auto()
    ARRAY_BUILT_IN = auto()
    DYNAMIC_MARKER = auto()
    PYTREE_DATA = auto()
    # static-cache
    CACHED_ARRAY = auto()
    # static-unverified
    ANY = auto()
    UNANNOTATED = auto()
    ABSTRACT = auto()
    FREE_TYPE_VARIABLE = auto()
    UNREAD_CLASS = auto()
    UNFORESEEN = auto()


MUTABLE: Final = frozenset(
    {
        Reason.NOT_FROZEN,
        Reason.ASSIGNABLE_ATTRIBUTE,
        Reason.SETTABLE_PROPERTY,
        Reason.ASSIGNED_LATER,
        Reason.MEMO_OF_ARRAYS,
        Reason.MUTABLE_TYPE,
        Reason.TYPED_DICT,
        Reason.MUTABLE_MEMBER,
        Reason.ASSIGNED_BY_METHOD,
    }
)
# Freezing the class is the advice.
FREEZABLE: Final = frozenset({Reason.NOT_FROZEN, Reason.ASSIGNABLE_ATTRIBUTE})
COARSE_EQUALITY: Final = frozenset(
    {
        Reason.FIELD_NOT_COMPARED,
        Reason.FIELD_AFTER_EQ,
        Reason.ATTRIBUTE_NOT_COMPARED,
        Reason.NOT_A_FIELD,
        Reason.NOTHING_COMPARED,
        Reason.CLASS_NOT_COMPARED,
    }
)
# No change of the class makes the value static: it holds what has to be traced.
HOLDS_ARRAYS: Final = frozenset({Reason.ARRAY, Reason.ARRAY_BUILT_IN, Reason.DYNAMIC_MARKER, Reason.PYTREE_DATA})
# JAX neither hashes nor compares the parts of these objects.
BY_IDENTITY: Final = frozenset({Reason.NEITHER_EQ_NOR_HASH, Reason.EQ_SWITCHED_OFF})
# Every fault with one of these reasons is reported; of other faults, only the outermost.
REPORTED_EACH: Final = frozenset({Reason.CACHED_ARRAY})
# The contract may hold: nothing proves that it does.
UNPROVEN: Final = frozenset(
    {Reason.ANY, Reason.UNANNOTATED, Reason.ABSTRACT, Reason.FREE_TYPE_VARIABLE, Reason.UNREAD_CLASS, Reason.UNFORESEEN}
)


class Fault(NamedTuple):
    """One way in which a type breaks the contract, and the path to the offender inside the type."""

    reason: Reason
    path: tuple[str, ...]  # from the judged type: field names, `[...]` for elements
    subject: str  # the offending type, as users write it
    detail: str = ""  # what else the message needs: an attribute, a replacement
    declared: TypeInfo | None = None  # the offending class, if there is a declaration to point at
    frozen_by: str = ""  # the one class that has to be frozen, if its decorator takes `frozen=True`
    holder: TypeInfo | None = None  # the class with the innermost field of the path
    base: TypeInfo | None = None  # the base of the offending class that has the same fault, if one has

    @property
    def fields(self) -> list[str]:
        """The fields of the path, without the elements of containers."""
        return [step[1:] for step in self.path if step.startswith(".")]

    def in_identity(self) -> "Fault":
        """What is wrong with this part of an object that is hashed and compared by identity."""
        return self._replace(reason=Reason.ARRAY_BUILT_IN) if self.reason is Reason.ARRAY else self
