"""`field`: `dataclasses.field`, with what a static or dynamic class can say of a field."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, overload

__all__ = ["field"]

T = TypeVar("T")

_HASH_BY_ID: Final = "hash_by_id"
_STATIC: Final = "static"


@overload
def field(
    *,
    default: T,
    init: bool = ...,
    repr: bool = ...,
    metadata: Mapping[Any, Any] | None = ...,
    kw_only: bool = ...,
    hash_by_id: bool = ...,
    static: bool = ...,
) -> T: ...


@overload
def field(
    *,
    default_factory: Callable[[], T],
    init: bool = ...,
    repr: bool = ...,
    metadata: Mapping[Any, Any] | None = ...,
    kw_only: bool = ...,
    hash_by_id: bool = ...,
    static: bool = ...,
) -> T: ...


@overload
def field(
    *,
    init: bool = ...,
    repr: bool = ...,
    metadata: Mapping[Any, Any] | None = ...,
    kw_only: bool = ...,
    hash_by_id: bool = ...,
    static: bool = ...,
) -> Any: ...


def field(
    *,
    hash_by_id: bool = False,
    metadata: Mapping[Any, Any] | None = None,
    **options: Any,
) -> Any:
    """A field of a static or dynamic class, with the options of `dataclasses.field`.

    Every static field counts in the comparison of two values, so `compare` and `hash` are not offered.

    Args:
        hash_by_id: the static field's values are singletons of any kind: compared by identity, and not verified.
        metadata: as for `dataclasses.field`.
        options: `static=True`, for those who are used to it, makes the field of a dynamic class static, as
            `Static[...]` around its type does; `default`, `default_factory`, `init`, `repr`, `kw_only`, as for
            `dataclasses.field`.
    """
    said = {name: options.pop(name) for name in (_STATIC,) if name in options}
    if hash_by_id:
        said[_HASH_BY_ID] = True
    made: Any = dataclasses.field(metadata={**(metadata or {}), **said} if said else metadata, **options)
    return made


def hashed_by_id(cls: type) -> frozenset[str]:
    """The fields that were declared `hash_by_id`, by our function or in their metadata, here or in a base."""
    declared = (base.__dict__.get("__dataclass_fields__", {}) for base in cls.__mro__)
    return frozenset(
        name for fields in declared for name, field in fields.items() if said_of(field, _HASH_BY_ID) is True
    )


def said_of(field: dataclasses.Field[Any], key: str) -> Any:
    """What the metadata of a field has under a key, if anything; a mapping need not have `get`."""
    try:
        return field.metadata[key]
    except (KeyError, AttributeError):  # As those raise that look up attributes.
        return None
