"""Tables of known classes of Python, NumPy, JAX and other libraries. To support a class, add a row."""

from __future__ import annotations

import datetime
import decimal
import fractions
import pathlib
import re
import struct
import uuid
from collections.abc import Callable, Hashable, Iterator
from types import EllipsisType, ModuleType, NoneType, NotImplementedType
from typing import Any, Final, NoReturn

import jax
import numpy as np

from jaxtyped_static._values.class_contract import attribute_parts
from jaxtyped_static._values.coarse_equality import datetime_parts, dtype_key, path_parts, timezone_key, tree_parts
from jaxtyped_static._values.handling import BY_IDENTITY, ITSELF, Handling, Part
from jaxtyped_static._values.refusals import Refused, class_name
from jaxtyped_static._values.singletons import is_singleton
from jaxtyped_static._values.words import Reason


def float_key(value: float) -> Hashable:
    """Returns the value itself, or its bits where `==` is not exact: for zeros, which have a sign, and for NaN."""
    return value if value and value == value else struct.pack("<d", value)


def _scalar(to_base: Callable[[Any], Any], key: Callable[[Any], Hashable] | None = None) -> Handling:
    """Returns the row of a class and its subclasses, whose values may not carry attributes of their own."""

    def keyed(value: Any) -> Hashable:
        plain = to_base(value)
        return plain if key is None else key(plain)

    return Handling(verify=_without_attributes, key=keyed)


def _without_attributes(value: Any) -> None:
    """Refuses attributes assigned to an instance of a subclass of an immutable class."""
    for name in getattr(value, "__dict__", ()):
        raise Refused(Reason.ASSIGNABLE_ATTRIBUTE, class_name(type(value)), name)


def _complex_key(value: complex) -> Hashable:
    return struct.pack("<dd", value.real, value.imag)


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

# Rows for exactly these classes: a path's text is all there is to it.
EXACTLY: Final[dict[type, Handling]] = dict.fromkeys(
    (pathlib.PurePosixPath, pathlib.PureWindowsPath, pathlib.PosixPath, pathlib.WindowsPath), Handling(key=str)
)

# By class, for values of it and of its subclasses: the nearest base decides.
BY_CLASS: Final[dict[type, Handling]] = {
    **dict.fromkeys((NoneType, EllipsisType, NotImplementedType, bool), ITSELF),
    **dict.fromkeys((datetime.date, datetime.timedelta, uuid.UUID), ITSELF),
    int: _scalar(int.__int__),
    float: _scalar(float.__float__, float_key),
    complex: _scalar(complex.__complex__, _complex_key),
    str: _scalar(str.__str__),
    bytes: _scalar(bytes.__bytes__),
    tuple: Handling(verify=_without_attributes, parts=_tuple_parts),
    frozenset: Handling(verify=_without_attributes, parts=_elements, ordered=False),
    range: Handling(key=lambda value: (value.start, value.stop, value.step)),
    slice: Handling(parts=_slice_parts),
    datetime.datetime: Handling(parts=datetime_parts),
    datetime.time: Handling(parts=datetime_parts),
    datetime.timezone: Handling(key=timezone_key),
    datetime.tzinfo: Handling(parts=attribute_parts, own_eq=True),
    decimal.Decimal: Handling(key=lambda value: value.as_tuple()),
    fractions.Fraction: Handling(key=lambda value: (value.numerator, value.denominator)),
    pathlib.PurePath: Handling(parts=path_parts, own_eq=True, parts_decide=True),
    re.Pattern: Handling(parts=_pattern_parts),
    ModuleType: BY_IDENTITY,
    np.dtype: Handling(key=dtype_key),
    np.finfo: Handling(key=lambda value: value.dtype),  # One object per dtype.
    np.generic: Handling(key=_numpy_key),
    np.void: _mutable("a frozen dataclass"),
    np.ndarray: Handling(verify=_array),
    jax.Array: Handling(verify=_array),
    jax.core.Tracer: Handling(verify=_tracer),
    **dict.fromkeys((jax.stages.Lowered, jax.stages.Compiled), MADE_BY_JAX),
    jax.tree_util.PyTreeDef: Handling(parts=tree_parts, own_eq=True, parts_decide=True),
}

_MAPPING: Final = Handling(parts=_items)
_IMMUTABLEDICT: Final = "immutabledict (pip install immutabledict)"

# By full name, because the library may not be installed, or is not worth an import.
BY_NAME: Final[dict[str, Handling]] = {
    "immutabledict.immutabledict": _MAPPING,
    "frozendict.frozendict": _MAPPING,
    "zoneinfo.ZoneInfo": ITSELF,
    **{
        f"jax._src.{name}": MADE_BY_JAX for name in ("core.Jaxpr", "core.ClosedJaxpr", "core.JaxprEqn", "stages.Traced")
    },
    "flax.core.frozen_dict.FrozenDict": _MAPPING,
    "ml_collections.config_dict.config_dict.FrozenConfigDict": _MAPPING,
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
