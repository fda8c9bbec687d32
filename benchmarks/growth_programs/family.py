"""A family of programs: a function from a size to the source of a program, usually without any error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Source = Callable[[int], str]

HEAD: Final = """\
from __future__ import annotations

import dataclasses
import enum
import functools
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, Generic, Literal, NamedTuple, Protocol, TypedDict, TypeVar, overload

import jax
import jax.numpy as jnp
from jax.tree_util import register_dataclass, register_pytree_node, register_static

from jaxtyped_static import Dynamic, Static, dynamic_dataclass, jit, static_dataclass

"""

FAMILIES: Final[dict[str, Source]] = {}
DEEP: Final[dict[str, Source]] = {}  # where the size is a depth
# For these, the time of mypy itself doubles with each level.
DOUBLING: Final = {
    "doubling_constants",
    "nested_finally",
    "nested_lambdas_under_vmap",
    "nested_try_finally",
}


def family(source: Source) -> Source:
    FAMILIES[source.__name__] = source
    return source


def deep(source: Source) -> Source:
    DEEP[source.__name__] = source
    return source


def lines(template: str, count: int) -> str:
    """Repeats the template for each number `{i}` below the count; `{j}` is the one before (for the first, the last)."""
    return "".join(template.format(i=i, j=(i - 1) % count, k=(i * 7 + 3) % count) for i in range(count))


def joined(template: str, count: int, between: str = ", ") -> str:
    return between.join(template.format(i=i, j=(i - 1) % count) for i in range(count))


def indented(text: str, depth: int = 1) -> str:
    return "".join(f"{'    ' * depth}{line}\n" if line else "\n" for line in text.splitlines())


def jitted(body: str, parameters: str = "x: jax.Array, n: Static[int]", result: str = "Any") -> str:
    return f"@jit\ndef f({parameters}) -> {result}:\n{indented(body)}"


def nest(depth: int, opening: str, inner: str, closing: str = "") -> str:
    """Nests blocks: `{i}` is the depth."""
    opened = "".join("    " * i + line.format(i=i) + "\n" for i in range(depth) for line in [opening])
    closed = "".join(
        "".join("    " * i + line.format(i=i) + "\n" for line in closing.splitlines()) for i in reversed(range(depth))
    )
    return f"a = b = c = x\n{opened}{'    ' * depth}{inner}\n{closed}return a\n"
