"""Tables of known classes of Python, NumPy, JAX and other libraries. To support a class, add a row."""

from __future__ import annotations

import datetime
import decimal
import fractions
import pathlib
import re
import struct
import typing
import uuid
from collections.abc import Callable, Hashable, Iterator
from types import CodeType, EllipsisType, GenericAlias, ModuleType, NoneType, NotImplementedType, UnionType
from typing import Any, Final, NoReturn

import jax
import numpy as np

from jaxtyped_static._attributes.attributes import Part, Parts, attribute_parts, attributes_of
from jaxtyped_static._class_contract.frozen import check_frozen
from jaxtyped_static._keys.handling import BY_IDENTITY, ITSELF, Handling
from jaxtyped_static._parts.coarse_equality import (
    annotation_parts,
    datetime_parts,
    dtype_key,
    partition_parts,
    path_parts,
    shape_parts,
    sharding_parts,
    timezone_key,
    tree_parts,
)
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason
from jaxtyped_static._singletons.callables import is_singleton


def float_key(value: float) -> Hashable:
    """Returns the value itself, or its bits where `==` is not exact: for zeros, which have a sign, and for NaN."""
    return value if value and value == value else struct.pack("<d", value)


def _scalar(to_base: Callable[[Any], Any], key: Callable[[Any], Hashable] | None = None) -> Handling:
    """Returns the row of a class, and of what its subclasses inherit from it."""

    def keyed(value: Any) -> Hashable:
        plain = to_base(value)
        return plain if key is None else key(plain)

    return _open(key=keyed)


def _open(key: Callable[[Any], Hashable] | None = None, parts: Parts | None = None, **more: Any) -> Handling:
    """Returns the row of a class whose subclasses may hold more."""
    return Handling(key=key, parts=parts, covers_subclasses=False, **more)


def _stored(base: Any, *names: str) -> Handling:
    """Returns the row of a class whose values are these attributes, as itself and not a subclass defines them."""
    read = [getattr(base, name).__get__ for name in names]
    return _open(key=lambda value: tuple(getter(value) for getter in read))


def _complex_key(value: complex) -> Hashable:
    return struct.pack("<dd", value.real, value.imag)


def _mapping(*own: str) -> Handling:
    """Returns the row of a mapping that keeps its items in these attributes."""

    def others(value: Any) -> Iterator[Part]:
        return ((f".{name}", item) for name, item in attributes_of(value) if name not in own)

    return _open(parts=_items, verify=check_frozen, state=others)


def _items(value: Any) -> Iterator[Part]:
    """Returns the items of a mapping; a program can see their order."""
    for key, item in value.items():
        yield "[key]", key
        yield f"[{key!r}]", item


def _elements(value: frozenset[Any]) -> Iterator[Part]:
    return (("[...]", element) for element in frozenset.__iter__(value))


def _tuple_parts(value: tuple[Any, ...]) -> Iterator[Part]:
    names = getattr(type(value), "_fields", ())
    for index, item in enumerate(tuple.__iter__(value)):
        yield f".{names[index]}" if index < len(names) else f"[{index}]", item


def _slice_parts(value: slice) -> Iterator[Part]:
    return ((f".{name}", getattr(value, name)) for name in ("start", "stop", "step"))


def _pattern_parts(value: re.Pattern[Any]) -> Iterator[Part]:
    return iter(((".pattern", value.pattern), (".flags", value.flags)))


def _numpy_key(value: Any) -> Hashable:
    """Returns the bits; for extended precision, which has padding, the text."""
    return value.dtype.str, repr(value) if value.dtype.char in "gG" else value.tobytes()


def _mutable(instead: str) -> Handling:
    def refuse(value: Any) -> NoReturn:
        raise Refused(Reason.MUTABLE_TYPE, class_name(type(value)), instead)

    return Handling(verify=refuse)


def _array(value: Any) -> NoReturn:
    raise Refused(Reason.ARRAY, "ndarray" if isinstance(value, np.ndarray) else "Array")


def _made_by_jax(value: Any) -> None:
    """Verifies a callable that JAX made: acceptable, like a function, if there is only one of it."""
    if not is_singleton(value):
        raise Refused(Reason.NEW_EACH_TIME, class_name(type(value)))


def _tracer(value: Any) -> NoReturn:
    raise Refused(Reason.TRACER, str(value.aval))


MADE_BY_JAX: Final = Handling(verify=_made_by_jax, key=id)

# Rows for exactly these classes: dates are exact, and a path's text is all there is to it.
EXACTLY: Final[dict[type, Handling]] = {
    **dict.fromkeys((datetime.date, datetime.timedelta), ITSELF),
    **dict.fromkeys(
        (pathlib.PurePosixPath, pathlib.PureWindowsPath, pathlib.PosixPath, pathlib.WindowsPath), Handling(key=str)
    ),
}

_ANNOTATION: Final = Handling(parts=annotation_parts, own_eq=True, is_lenient=True)

# By class, for values of it and of its subclasses: the nearest base decides.
BY_CLASS: Final[dict[type, Handling]] = {
    **dict.fromkeys((NoneType, EllipsisType, NotImplementedType, bool, CodeType), ITSELF),
    int: _scalar(int.__int__),
    float: _scalar(float.__float__, float_key),
    complex: _scalar(complex.__complex__, _complex_key),
    str: _scalar(str.__str__),
    bytes: _scalar(bytes.__bytes__),
    tuple: _open(parts=_tuple_parts),
    frozenset: _open(parts=_elements, ordered=False),
    range: Handling(key=lambda value: (value.start, value.stop, value.step)),
    slice: Handling(parts=_slice_parts),
    datetime.date: _open(datetime.date.toordinal),
    datetime.timedelta: _stored(datetime.timedelta, "days", "seconds", "microseconds"),
    datetime.datetime: _open(parts=datetime_parts),
    datetime.time: _open(parts=datetime_parts),
    datetime.timezone: Handling(key=timezone_key),
    datetime.tzinfo: Handling(parts=attribute_parts, own_eq=True),
    decimal.Decimal: _open(decimal.Decimal.as_tuple),
    fractions.Fraction: _stored(fractions.Fraction, "numerator", "denominator"),
    uuid.UUID: _open(lambda value: (value.int, value.is_safe)),
    pathlib.PurePath: Handling(parts=path_parts, own_eq=True, is_lenient=True),
    re.Pattern: Handling(parts=_pattern_parts),
    ModuleType: BY_IDENTITY,
    np.dtype: Handling(key=dtype_key),
    np.finfo: Handling(key=lambda value: value.dtype),  # One object per dtype.
    np.generic: _open(_numpy_key),
    np.str_: _scalar(str.__str__),
    np.bytes_: _scalar(bytes.__bytes__),
    np.void: _mutable("a frozen dataclass"),
    np.ndarray: Handling(verify=_array),
    jax.Array: Handling(verify=_array),
    jax.core.Tracer: Handling(verify=_tracer),
    **dict.fromkeys((jax.stages.Lowered, jax.stages.Compiled), MADE_BY_JAX),
    jax.tree_util.PyTreeDef: Handling(parts=tree_parts, own_eq=True, is_lenient=True),
    jax.sharding.PartitionSpec: Handling(parts=partition_parts, own_eq=True, is_lenient=True),
    jax.ShapeDtypeStruct: Handling(parts=shape_parts, own_eq=True, is_lenient=True),
    jax.sharding.NamedSharding: Handling(parts=sharding_parts, own_eq=True, is_lenient=True),
    **dict.fromkeys((GenericAlias, UnionType, typing.ForwardRef), _ANNOTATION),
}

_IMMUTABLEDICT: Final = "immutabledict (pip install immutabledict)"

# By full name, because the library may not be installed, or is not worth an import.
BY_NAME: Final[dict[str, Handling]] = {
    "typing._BaseGenericAlias": _ANNOTATION,
    "immutabledict.immutabledict": _mapping("_dict", "_hash"),
    "frozendict.frozendict": _mapping("_hash"),
    "zoneinfo.ZoneInfo": ITSELF,
    # Nobody assigns to the public attributes of these.
    **dict.fromkeys(
        [f"ipaddress.IPv{version}{kind}" for version in (4, 6) for kind in ("Network", "Interface")],
        _open(str),
    ),
    **{
        f"jax._src.{name}": MADE_BY_JAX for name in ("core.Jaxpr", "core.ClosedJaxpr", "core.JaxprEqn", "stages.Traced")
    },
    "flax.core.frozen_dict.FrozenDict": _mapping("_dict", "_hash"),
    "ml_collections.config_dict.config_dict.FrozenConfigDict": Handling(parts=_items),
    # Its lists are compared and hashed as tuples, and written once, by `nnx.split`.
    "flax.nnx.graphlib.GraphDef": ITSELF,
    "flax.nnx.graph.GraphDef": ITSELF,  # Until Flax 0.11.
    **{
        name: _mutable(instead)
        for name, instead in {
            "builtins.list": "tuple",
            "builtins.dict": _IMMUTABLEDICT,
            "builtins.set": "frozenset",
            "builtins.bytearray": "bytes",
            "builtins.memoryview": "bytes",
            "collections.deque": "tuple",
            "collections.OrderedDict": _IMMUTABLEDICT,
            "collections.defaultdict": _IMMUTABLEDICT,
            "collections.Counter": _IMMUTABLEDICT,
            "collections.ChainMap": _IMMUTABLEDICT,
            "collections.UserDict": _IMMUTABLEDICT,
            "collections.UserList": "tuple",
            "array.array": "tuple",
            "types.SimpleNamespace": "a frozen dataclass",
            "builtins.mappingproxy": _IMMUTABLEDICT,
            "argparse.Namespace": "a frozen dataclass",
            "configparser.RawConfigParser": "a frozen dataclass",
            "ml_collections.config_dict.config_dict.ConfigDict": "FrozenConfigDict",
        }.items()
    },
}
