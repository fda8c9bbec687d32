"""Why a value breaks the static contract. A test keeps these words equal to those of the checker's rules."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple


class Reason(Enum):
    """One way to break the contract; the checker has reasons and kinds of the same names."""

    NOT_FROZEN = auto()
    ASSIGNABLE_ATTRIBUTE = auto()
    MUTABLE_TYPE = auto()
    MUTABLE_MEMBER = auto()
    NEITHER_EQ_NOR_HASH = auto()
    EQ_SWITCHED_OFF = auto()
    EQ_WITHOUT_HASH = auto()
    HASH_WITHOUT_EQ = auto()
    HASH_IS_NONE = auto()
    FIELD_NOT_COMPARED = auto()
    FIELD_AFTER_EQ = auto()
    NOT_A_FIELD = auto()
    CLASS_NOT_COMPARED = auto()
    ARRAY = auto()
    PYTREE_DATA = auto()
    LAMBDA = auto()
    NESTED_FUNCTION = auto()
    FUNCTION_OF_PACKAGE = auto()
    NESTED_CLASS = auto()
    PARTIAL = auto()
    TREE_PARTIAL = auto()
    BOUND_METHOD = auto()
    UNKNOWN = auto()
    CACHED_PROPERTY = auto()
    # Detected only at run time.
    TRACER = auto()
    UNHASHABLE = auto()
    HASH_OF_OBJECT = auto()
    BARE_OBJECT = auto()
    DIFFERENT_BUT_EQUAL = auto()
    COPY_NOT_EQUAL = auto()
    COPY_NOT_HASHED_ALIKE = auto()
    NEW_EACH_TIME = auto()
    CHANGED = auto()
    HELD_CHANGED = auto()
    REWRITTEN = auto()
    EQUAL_TO_CHANGED = auto()
    EQUAL_TO_OTHER = auto()
    UNSEEN_STATE = auto()
    CONTAINS_ITSELF = auto()
    TOO_DEEP = auto()


class Words(NamedTuple):
    """The rule's code, what is wrong and what to do. `{subject}`, `{detail}` and `{at}` are filled in."""

    code: str
    says: str
    advice: str


_BY_VALUE: Final = "define __eq__ and __hash__ by value, or make it a frozen dataclass that defines neither"
_WITH_CALL: Final = "use a frozen dataclass with a __call__"
_MAKE_NEW: Final = "make a new value instead, as dataclasses.replace does"
# Of a static class; a pytree class has the same words, and another harm.
WAS_SET: Final = "{subject} was set, but is not a field: "
DECLARE_FIELD: Final = "declare it as a field, {detail}, or make it a property"
_EXACTLY: Final = "compare every attribute, and the class, by value"

WORDS: Final[dict[Reason, Words]] = {
    Reason.NOT_FROZEN: Words("static-mutable", "{subject} is not frozen", "{detail}"),
    Reason.ASSIGNABLE_ATTRIBUTE: Words(
        "static-mutable",
        '{subject} is mutable: "{detail}" can be assigned',
        "make it a frozen dataclass, or declare its attributes Final",
    ),
    Reason.MUTABLE_TYPE: Words("static-mutable", "{subject} is mutable", "use {detail} instead"),
    Reason.MUTABLE_MEMBER: Words(
        "static-mutable",
        "the value of {subject}.{detail} is mutable",
        "use a tuple, a frozenset or an immutabledict (pip install immutabledict) instead",
    ),
    Reason.NEITHER_EQ_NOR_HASH: Words(
        "static-hash",
        "{subject} is hashed by identity: it has neither __eq__ nor __hash__",
        "make it a frozen dataclass, or define both by value",
    ),
    Reason.EQ_SWITCHED_OFF: Words(
        "static-hash",
        "{subject} is hashed by identity: it is declared eq=False and no base defines __eq__ and __hash__",
        "remove eq=False",
    ),
    Reason.EQ_WITHOUT_HASH: Words(
        "static-hash",
        "{subject} is not hashable: it defines __eq__ without __hash__",
        "define __hash__ over what __eq__ compares",
    ),
    Reason.HASH_WITHOUT_EQ: Words(
        "static-hash",
        "{subject} is compared by identity: it defines __hash__ without __eq__",
        "define an __eq__ that compares the attributes",
    ),
    Reason.HASH_IS_NONE: Words("static-hash", "{subject} is not hashable: its __hash__ is None", _BY_VALUE),
    Reason.UNHASHABLE: Words("static-hash", "{subject} is not hashable: {detail}", _BY_VALUE),
    Reason.HASH_OF_OBJECT: Words(
        "static-hash",
        "{subject} is hashed by identity: its __hash__ is that of object",
        "define __hash__ over what __eq__ compares",
    ),
    Reason.BARE_OBJECT: Words(
        "static-hash",
        "{subject}() is hashed by identity: a copy of it is another value",
        "use None or a member of an Enum instead",
    ),
    Reason.FIELD_NOT_COMPARED: Words(
        "static-eq",
        'values that differ in "{subject}" are equal: the field is not compared',
        "remove compare=False (in attrs, eq=False), or pass it as a separate argument",
    ),
    Reason.FIELD_AFTER_EQ: Words(
        "static-eq",
        'values that differ in "{subject}" are equal: the inherited {detail}.__eq__ leaves it out',
        "give the class an __eq__ and a __hash__ that include it, as @dataclass(frozen=True) does",
    ),
    Reason.NOT_A_FIELD: Words("static-eq", f"{WAS_SET}values that differ in it alone are equal", DECLARE_FIELD),
    Reason.CLASS_NOT_COMPARED: Words(
        "static-eq",
        "{subject} is equal to objects of other classes: {detail}.__eq__ does not compare the class",
        "compare type(self) with type(other) in it",
    ),
    Reason.DIFFERENT_BUT_EQUAL: Words("static-eq", "{subject} is equal to {detail}, which differs from it", _EXACTLY),
    Reason.COPY_NOT_EQUAL: Words("static-hash", "{subject} is not equal to {detail}", _EXACTLY),
    Reason.COPY_NOT_HASHED_ALIKE: Words(
        "static-hash", "{subject} and {detail} are equal and have different hashes", "hash what __eq__ compares"
    ),
    Reason.NEW_EACH_TIME: Words(
        "static-hash",
        "{subject} is hashed by identity, and JAX makes a new one each time",
        "bind it to a name at module level, or pass the function that it was made from",
    ),
    Reason.CHANGED: Words(
        "static-mutable", "{subject} → {detail}: changed since {at} was compiled with it", f"{_MAKE_NEW}{{hint}}"
    ),
    Reason.HELD_CHANGED: Words(
        "static-mutable",
        "{subject} → {detail}: changed since {at} was compiled with it",
        "pass it to the function as an argument, or compile a new function{hint}",
    ),
    Reason.REWRITTEN: Words("static-mutable", "{subject} → {detail}: changed since the object was made", _MAKE_NEW),
    Reason.EQUAL_TO_CHANGED: Words(
        "static-mutable",
        "{subject} → {detail} in a value that is equal to this one: changed since {at} was compiled with it",
        _MAKE_NEW,
    ),
    Reason.EQUAL_TO_OTHER: Words(
        "static-eq",
        "{detail} runs the program that {at} compiled for {subject}, because the two values are equal",
        "make it a static_dataclass, which compares exactly",
    ),
    Reason.UNSEEN_STATE: Words(
        "static-eq",
        "{subject} may hold state that its == ignores: it is written in C, and does not tell pickle what it holds",
        "store what it is made from, or declare the field with hash_by_id=True if there is one object for each value",
    ),
    Reason.CONTAINS_ITSELF: Words(
        "static-hash",
        "{subject} contains itself, so it cannot be compared",
        "store a name or a number in place of the object",
    ),
    Reason.TOO_DEEP: Words(
        "static-hash",
        "{subject} is nested {detail} levels deep, too deep to be compared",
        "use a flat tuple, or make the classes static_dataclasses, which are compared by identity",
    ),
    Reason.ARRAY: Words(
        "static-dynamic",
        "{subject} is an array, which cannot be hashed",
        "pass it as a dynamic argument, or store a tuple of numbers",
    ),
    Reason.PYTREE_DATA: Words(
        "static-dynamic", '{subject} is a pytree with the data field "{detail}"', "pass it as a dynamic argument"
    ),
    Reason.TRACER: Words(
        "static-traced",
        "{subject} is traced here",
        "mark the parameter that it comes from Static, or compute it from values that are concrete in a trace "
        "(shapes, static fields, plain numbers)",
    ),
    Reason.CACHED_PROPERTY: Words(
        "pytree-cache",
        "{subject} is cached on a pytree: the cache is lost whenever the object passes through jit, vmap or tree.map, "
        "and is filled again in every trace, and keeps a tracer if a trace captures the object",
        "make it a plain property, or a data field that is set when the object is made",
    ),
    Reason.LAMBDA: Words(
        "static-callable", "a lambda{at} is a new function each time", "define a function at module level"
    ),
    Reason.NESTED_FUNCTION: Words(
        "static-callable",
        '"{subject}"{at} is defined inside a function, which makes a new one each time it runs',
        "define it at module level",
    ),
    Reason.FUNCTION_OF_PACKAGE: Words(
        "static-callable",
        '"{subject}" is a new function each time that its package makes this value',
        "make the value once, bound to a name at module level, or in a function under functools.cache",
    ),
    Reason.NESTED_CLASS: Words(
        "static-callable",
        '"{subject}"{at} is a class defined inside a function, which makes a new one each time it runs',
        "define it at module level",
    ),
    Reason.PARTIAL: Words(
        "static-callable",
        "{subject}{at} is hashed by identity, and new each time",
        "bind it to a name at module level, or pass the function and its arguments separately",
    ),
    Reason.TREE_PARTIAL: Words(
        "static-callable",
        "{subject}{at} is hashed by identity, and new each time",
        "pass it as a dynamic argument: it is a pytree",
    ),
    Reason.BOUND_METHOD: Words(
        "static-callable",
        '"{subject}"{at} is a bound method, equal only to the same method of the very same object',
        f"pass a module-level function and the object as two arguments, or {_WITH_CALL}",
    ),
    Reason.UNKNOWN: Words(
        "static-callable",
        'nothing shows that "{subject}"{at} is the same object each time',
        "pass a module-level function, or mark the parameter or field that it comes from as Static",
    ),
}
