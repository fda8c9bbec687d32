"""All kinds of declarations, and the imports that their texts need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.fuzz.histories.classes import TYPES
from tests.fuzz.histories.functions import FUNCTIONS, MAKERS
from tests.fuzz.histories.grammar import Kind

KINDS: Final[Mapping[str, Kind]] = {**TYPES, **MAKERS, **FUNCTIONS}
_OFTEN: Final = {"dataclass": 6, "plain": 3, "alias": 2}
PROVIDERS: Final[Mapping[str, tuple[str, ...]]] = {
    sort: tuple(name for name, kind in KINDS.items() if sort in kind.sorts for _ in range(_OFTEN.get(name, 1)))
    for sort in dict.fromkeys(sort for kind in KINDS.values() for sort in kind.sorts)
}

HOLDING: Final = ("dataclass", "plain")  # classes whose bodies can contain other classes

# The import for each name that a module's text uses.
HEADER: Final[Mapping[str, str]] = {
    "TYPE_CHECKING": "from typing import TYPE_CHECKING",
    "abc": "import abc",
    "dataclasses": "import dataclasses",
    "enum": "import enum",
    "functools": "import functools",
    "sys": "import sys",
    "Callable": "from collections.abc import Callable",
    "dataclass": "from dataclasses import dataclass",
    "field": "from dataclasses import field",
    "partial": "from functools import partial",
    **{
        name: f"from typing import {name}"
        for name in (
            *("Annotated", "Any", "ClassVar", "Final", "Generic", "NamedTuple", "NewType", "ParamSpec", "Protocol"),
            *("TypeAlias", "TypedDict", "TypeVar", "dataclass_transform", "final", "runtime_checkable"),
        )
    },
    "attrs": "import attrs",
    "eqx": "import equinox as eqx",
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "struct": "from flax import struct",
    **{
        name: f"from jaxtyped_static import {name}"
        for name in ("Static", "dynamic_dataclass", "jit", "static_dataclass")
    },
    "T": 'from typing import TypeVar\nT = TypeVar("T")',
    "F": 'from typing import Any, Callable, TypeVar\nF = TypeVar("F", bound=Callable[..., Any])',
    "P": 'from typing import ParamSpec\nP = ParamSpec("P")',
    "R": 'from typing import TypeVar\nR = TypeVar("R")',
    "anything": "from typing import Any\ndef anything() -> Any: ...",
}
