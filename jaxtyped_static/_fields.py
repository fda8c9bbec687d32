"""`field` is `dataclasses.field` with the options of static and dynamic classes."""

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
    """Declares a field of a static or dynamic class, with the options of `dataclasses.field`.

    Every static field is compared, so there is no `compare` or `hash` option.

    Args:
        hash_by_id: the static field's values are singletons of any kind: compared by identity, and not verified.
        metadata: as for `dataclasses.field`.
        options: `static=True` makes the field of a dynamic class static, as `Static[...]` around its type does;
            `default`, `default_factory`, `init`, `repr`, `kw_only`, as for `dataclasses.field`.
    """
    extra = {name: options.pop(name) for name in (_STATIC,) if name in options}
    if hash_by_id:
        extra[_HASH_BY_ID] = True
    made: Any = dataclasses.field(metadata={**(metadata or {}), **extra} if extra else metadata, **options)
    return made


def hashed_by_id(cls: type) -> frozenset[str]:
    """Returns the fields declared `hash_by_id`, by our `field` or in their metadata, in the class or in a base."""
    declared = (base.__dict__.get("__dataclass_fields__", {}) for base in cls.__mro__)
    return frozenset(
        name for fields in declared for name, field in fields.items() if metadata_value(field, _HASH_BY_ID) is True
    )


def metadata_value(field: dataclasses.Field[Any], key: str) -> Any:
    """Returns what a field's metadata has under a key, or None; a mapping need not have `get`."""
    try:
        return field.metadata[key]
    except (KeyError, AttributeError):  # Raised by mappings that look up attributes.
        return None
