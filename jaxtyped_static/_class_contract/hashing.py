"""Checks whether a class hashes and compares its objects by value."""

from __future__ import annotations

from typing import Any

from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason


def check_hash(value: Any) -> None:
    """Refuses a value whose class hashes or compares it by identity, or not at all."""
    cls = type(value)
    if (reason := _hash_fault(cls)) is not None:
        raise Refused(reason, class_name(cls))


def keeps_contract(cls: Any) -> bool:
    """Returns whether the class's own decorator makes every value frozen, and hashed and compared by value."""
    parameters = cls.__dict__.get("__dataclass_params__")
    return parameters is not None and parameters.frozen and _hash_fault(cls) is None


def is_hashed_by_identity(cls: Any) -> bool:
    """Returns whether the class has `object`'s own `__eq__` and `__hash__`."""
    return cls.__hash__ is object.__hash__ and cls.__eq__ is object.__eq__


def _hash_fault(cls: Any) -> Reason | None:
    if cls is object:
        return Reason.BARE_OBJECT
    if cls.__hash__ is None:
        owner = next(base for base in cls.__mro__ if "__hash__" in base.__dict__)
        return Reason.EQ_WITHOUT_HASH if "__eq__" in owner.__dict__ else Reason.HASH_IS_NONE
    if cls.__eq__ is object.__eq__:
        if cls.__hash__ is not object.__hash__:
            return Reason.HASH_WITHOUT_EQ
        parameters = cls.__dict__.get("__dataclass_params__")
        switched_off = parameters is not None and not parameters.eq
        return Reason.EQ_SWITCHED_OFF if switched_off else Reason.NEITHER_EQ_NOR_HASH
    return Reason.HASH_OF_OBJECT if cls.__hash__ is object.__hash__ else None
