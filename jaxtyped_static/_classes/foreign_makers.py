"""Handles code that builds objects of a static class without its constructor: C libraries, and the class's methods."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType
from typing import Any, Final

from jaxtyped_static._classes.raw_calls import expecting_raw_objects
from jaxtyped_static._keys.interning import interned
from jaxtyped_static._kinds import is_static
from jaxtyped_static._refusals.refused import class_name
from jaxtyped_static._static_objects.private_objects import hash_by_value

# These leave no trace: the first sign of their objects may be that JAX asks for the hash.
_UNSEEN: Final = frozenset({"msgspec"})


def expect_private_objects(cls: Any) -> None:
    """Hashes private objects of a class by value from the start if some may be made unnoticed."""
    if any(name in sys.modules for name in _UNSEEN) or any(map(_makes_raw_objects, vars(cls).values())):
        hash_by_value(cls)


def _makes_raw_objects(method: Any) -> bool:
    """Returns whether a method seems to call `object.__new__`."""
    code = getattr(getattr(method, "__func__", method), "__code__", None)
    return isinstance(code, CodeType) and "__new__" in code.co_names


def core_schema(cls: Any, source: Any, handler: Callable[[Any], Any]) -> Any:
    """The class's `__get_pydantic_core_schema__`: pydantic's own schema, whose results are interned."""
    from pydantic_core.core_schema import no_info_wrap_validator_function  # Imported already, by the caller.

    def validate(value: Any, validated: Callable[[Any], Any]) -> Any:
        with expecting_raw_objects():
            made = validated(value)
        return interned(made) if is_static(type(made)) else made

    validate.__name__ = class_name(cls)  # The name in pydantic's messages.
    return no_info_wrap_validator_function(validate, handler(source))
