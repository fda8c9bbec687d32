"""Distinguishes library values whose own `==` takes them for equal: times, paths, dtypes, annotations, shardings."""

from __future__ import annotations

import datetime
import pathlib
from collections.abc import Hashable, Iterator
from typing import Any, Final

import numpy as np

from jaxtyped_static._attributes.attributes import Part, attributes_of
from jaxtyped_static._class_contract.hashing import is_hashed_by_identity

# Read as the base class does: a subclass may override what they are called for, and how they are shown.
_OF_TIMES: Final = ("year", "month", "day", "hour", "minute", "second", "microsecond")


def datetime_parts(value: datetime.datetime | datetime.time) -> Iterator[Part]:
    """Returns the parts of a time: aware times are equal if they mean the same instant, whatever their zones."""
    cls = datetime.datetime if isinstance(value, datetime.datetime) else datetime.time
    yield ".naive", tuple(getattr(cls, name).__get__(value) for name in _OF_TIMES if hasattr(cls, name))
    yield ".fold", value.fold
    yield ".tzinfo", value.tzinfo


def timezone_key(value: datetime.timezone) -> Hashable:
    """Keys a time zone: zones with the same offset are equal, whatever their names."""
    offset_and_name: Hashable = value.__getinitargs__()  # type: ignore[attr-defined]  # What pickle calls.
    return offset_and_name


_OF_EVERY_PATH: Final = frozenset(
    name for base in (*pathlib.PurePath.__mro__, *pathlib.Path.__mro__) for name in vars(base)
)


def path_parts(value: pathlib.PurePath) -> Iterator[Part]:
    """Returns the parts of a path: `==` ignores what a subclass adds and, on Windows, upper and lower case."""
    yield ".path", str(value)
    for name, item in attributes_of(value):
        if name not in _OF_EVERY_PATH:
            yield f".{name}", item


def dtype_key(value: np.dtype[Any]) -> Hashable:
    """Keys a dtype: dtypes are equal whatever their metadata."""
    metadata = tuple(_metadata_in(value))
    return (value, metadata) if metadata else value


def _metadata_in(dtype: np.dtype[Any]) -> Iterator[str]:
    if dtype.metadata:
        yield repr(dict(dtype.metadata))
    if dtype.subdtype is not None:
        yield from _metadata_in(dtype.subdtype[0])
    for name, field in (dtype.fields or {}).items():
        yield from (f"{name}: {text}" for text in _metadata_in(field[0]))


def tree_parts(value: Any) -> Iterator[Part]:
    """Returns the data of each node, which JAX compares with `==`."""
    pending = [("", value)]
    while pending:
        at, tree = pending.pop()
        if (node := tree.node_data()) is not None:
            yield from _data_parts(f"{at}.node_data", node[1])
        pending += ((f"{at}[{index}]", child) for index, child in enumerate(tree.children()))


def _data_parts(at: str, data: Any) -> Iterator[Part]:
    """Returns the data one by one, as some may have no key; JAX keeps the keys of a dictionary in its own list."""
    if type(data) not in (tuple, list):
        if not is_hashed_by_identity(type(data)):  # Else `==` is exact.
            yield at, data
        return
    for index, item in enumerate(data):
        yield from _data_parts(f"{at}[{index}]", item)


_OF_ANNOTATIONS: Final = (
    "__origin__",
    "__args__",
    "__metadata__",
    "__unpacked__",
    "__forward_arg__",
    "__forward_module__",
    "__forward_is_argument__",
    "__forward_is_class__",
)


def annotation_parts(value: Any) -> Iterator[Part]:
    """Returns the parts of a type such as `Annotated[int, 1]`, which equals `Annotated[int, 1.0]`."""
    for name in _OF_ANNOTATIONS:
        if (part := getattr(value, name, None)) is not None:
            yield f".{name}", part


def partition_parts(value: Any) -> Iterator[Part]:
    """Returns the parts of a partition: JAX takes `P("x")` and `P(("x",))` for equal."""
    return ((f"[{index}]", axes) for index, axes in enumerate(value))


def shape_parts(value: Any) -> Iterator[Part]:
    """Returns the parts of a `jax.ShapeDtypeStruct`."""
    return ((f".{name}", getattr(value, name)) for name in ("shape", "dtype", "sharding"))


def sharding_parts(value: Any) -> Iterator[Part]:
    """Returns the part of a `NamedSharding` that its `==` normalizes."""
    yield ".spec", value.spec
