"""`check_static` verifies the static contract for any value at run time."""

from __future__ import annotations

from jaxtyped_static._keys.equality import check_equality
from jaxtyped_static._keys.value_keys import hashable, key_of, parts_in
from jaxtyped_static._parts.walking import check_depth
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._static_objects.tampering import check_untampered

__all__ = ["check_static"]


def check_static(value: object, /) -> None:
    """Verifies that JAX can safely use a value as part of a cache key.

    The value must not be able to change, must be hashed and compared by value, must hold nothing that JAX traces, and
    every function in it must be the same object each time. This is verified at every depth. A value of a static class
    was verified when it was made, so here it must only be unchanged.

    Raises:
        StaticContractError: with the rule's code, the path to the offender, and what to do about it.
    """
    try:
        _check(value)
    except Refused as refused:
        raise refused.as_error(root_of(value)) from None


def _check(value: object) -> None:
    try:
        key_of(value)
    except RecursionError:
        check_depth(value, parts_in)
        raise
    check_untampered(value)
    check_equality(value)
    hashable(value)


def root_of(value: object) -> str:
    """Returns the start of a path: the name of the value's class, or `value` for a builtin class."""
    cls = type(value)
    return "value" if cls.__module__ == "builtins" else class_name(cls)
