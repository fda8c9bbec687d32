"""`check_static`: the static contract, verified for a value when the program runs."""

from __future__ import annotations

from jaxtyped_static._values.equality import check_equality
from jaxtyped_static._values.refusals import Refused, class_name
from jaxtyped_static._values.tampering import check_untampered
from jaxtyped_static._values.value_keys import hashable, key_of

__all__ = ["check_static"]


def check_static(value: object, /) -> None:
    """Verifies that JAX can safely use a value as part of a compilation key.

    It cannot change, is hashed and compared by value, holds nothing that JAX traces, and any function in it is the same
    object each time. Everything in it is looked at. A value of a static class was verified when it was made; nobody may
    have changed it since.

    Raises:
        StaticContractError: with the rule's code, the path to the offender, and what to do about it.
    """
    try:
        key_of(value)
        check_untampered(value)
        check_equality(value)
        hashable(value)
    except Refused as refused:
        raise refused.as_error(root_of(value)) from None


def root_of(value: object) -> str:
    """What a path starts with: the class of the value, when it has one of its own."""
    cls = type(value)
    return "value" if cls.__module__ == "builtins" else class_name(cls)
