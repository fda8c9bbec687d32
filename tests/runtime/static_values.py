"""Values that Python's `==` confuses, and static classes to put them in."""

from __future__ import annotations

import datetime
import enum
import math
import pathlib
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Generic, NamedTuple, TypeVar

import jax.numpy as jnp
import numpy as np
from immutabledict import immutabledict

from jaxtyped_static import field, static_dataclass

T = TypeVar("T")


def label(value: object) -> str:
    """Returns the id of a case, the same in every process."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


def minmod(x: Any) -> Any:
    """A singleton."""
    return jnp.tanh(x)


class Level(enum.IntEnum):
    ONE = 1


class Word(str):
    __slots__ = ()


class Point(NamedTuple):
    x: Any


class Size(NamedTuple):
    x: Any


@static_dataclass
class Box:
    """Holds anything."""

    item: Any


@static_dataclass(slots=True)
class SlottedBox:
    item: Any


@static_dataclass
class Solver:
    order: int
    scale: float = 1.0
    name: str = "rk"
    limiter: Callable[[Any], Any] = minmod


@static_dataclass(kw_only=True)
class Grid(Generic[T]):
    shape: tuple[T, ...]
    solver: Solver
    extra: Any = field(default=None, hash_by_id=True)


# Each group holds values that are equal, or share an entry of JAX's cache, but differ for a program.
ALIKE: list[tuple[Any, ...]] = [
    (1, 1.0, True, np.int32(1), np.int64(1), np.float32(1), np.float64(1), Level.ONE, 1 + 0j, Decimal(1)),
    (0.0, -0.0, 0, False, np.float64(0.0), np.float64(-0.0), np.float32(-0.0)),
    (np.longdouble(0.0), np.longdouble(-0.0), np.clongdouble(0.0)),
    (complex(0.0, 0.0), complex(0.0, -0.0), complex(-0.0, 0.0)),
    ("a", Word("a"), np.str_("a")),
    (b"a", np.bytes_(b"a")),
    ((1,), Point(1), Size(1), (1.0,), (True,), Point(1.0), (Level.ONE,)),
    ((0.0, (0.0,)), (0.0, (-0.0,)), (-0.0, (0.0,))),
    (frozenset({1}), frozenset({True}), frozenset({1.0})),
    (frozenset([math.nan, float("nan")]), frozenset([math.nan])),
    (frozenset({(1, 0)}), frozenset({(1, False)})),
    (range(0), range(1, 1)),
    (range(0, 3, 2), range(0, 4, 2)),
    (np.dtype("float32"), "float32", jnp.float32, np.float32),
    (immutabledict({"a": 1}), immutabledict({"a": 1.0}), immutabledict({"a": True})),
    (immutabledict({1: 2}), immutabledict({True: 2})),
    (immutabledict({"a": 1, "b": 2}), immutabledict({"b": 2, "a": 1})),
    (Decimal("1.0"), Decimal("1.00")),
    (
        datetime.datetime(2020, 1, 1, 12, tzinfo=datetime.UTC),
        datetime.datetime(2020, 1, 1, 13, tzinfo=datetime.timezone(datetime.timedelta(hours=1))),
    ),
    (pathlib.PureWindowsPath("A"), pathlib.PureWindowsPath("a"), pathlib.PurePosixPath("a")),
    (slice(1), slice(True), slice(1.0)),
    (Box(1), Box(1.0), Box(True), SlottedBox(1)),
    (Box(Box(1)), Box(Box(1.0))),
    (math.nan, -math.nan, np.float64(math.nan), np.float32(math.nan)),
    ((math.nan,), (-math.nan,)),
    (None, ..., "None"),
]
