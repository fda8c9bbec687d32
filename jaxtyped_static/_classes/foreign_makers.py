"""Code that puts objects of a static class together itself: libraries in C that call nothing of it, and its methods."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType
from typing import Any, Final

from jaxtyped_static._classes.raw_calls import expecting_raw_objects
from jaxtyped_static._values.private_objects import hash_by_value, interned
from jaxtyped_static._values.refusals import class_name
from jaxtyped_static._values.static_classes import is_static

# They leave no trace: the first that is seen of their objects may be that JAX asks for the hash.
_UNSEEN: Final = frozenset({"msgspec"})


def expect_private_objects(cls: Any) -> None:
    """Hashes private objects of a class by value from the start, where some may be made unseen."""
    if any(name in sys.modules for name in _UNSEEN) or any(map(_makes_raw_objects, vars(cls).values())):
        hash_by_value(cls)


def _makes_raw_objects(method: Any) -> bool:
    """Whether a method seems to call `object.__new__`."""
    code = getattr(getattr(method, "__func__", method), "__code__", None)
    return isinstance(code, CodeType) and "__new__" in code.co_names


def core_schema(cls: Any, source: Any, handler: Callable[[Any], Any]) -> Any:
    """The class's `__get_pydantic_core_schema__`: pydantic's own schema, and what it makes is interned."""
    from pydantic_core.core_schema import no_info_wrap_validator_function  # Imported already: it is what calls.

    def validate(value: Any, validated: Callable[[Any], Any]) -> Any:
        with expecting_raw_objects():
            made = validated(value)
        return interned(made) if is_static(type(made)) else made

    validate.__name__ = class_name(cls)  # As pydantic's messages call it.
    return no_info_wrap_validator_function(validate, handler(source))
