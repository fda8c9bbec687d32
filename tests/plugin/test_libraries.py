"""Properties of the libraries' classes that need a special mypy configuration to show."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from jaxtyped_static_mypy import libraries
from jaxtyped_static_mypy.knowledge.full_names import KNOWN_PACKAGES
from tests.plugin.running import run_mypy

pytestmark = pytest.mark.xdist_group("light")

MARKED = """
from typing import Annotated, Final
from pydantic import BaseModel

JAX_STATIC: Final[str] = "_pydantic_jax_static_field"

class Model(BaseModel):
    xs: Annotated[list[int], JAX_STATIC]
    ys: Annotated[list[int], "_pydantic_jax_static_field"]
    zs: Annotated[list[int], "other"]
"""
MODELS = """
import jax
from pydantic import BaseModel, PrivateAttr

class Base(BaseModel):
    pass

class Frozen(Base, frozen=True):
    n: int
    xs: list[int]
    _cache: dict[str, int] = PrivateAttr(default_factory=dict)

class Loose(Base):
    n: int
"""

# As the package is laid out, with the types that it gives these functions.
HALIAX = {
    "__init__.py": """
        from haliax.axis import Axis as Axis
        from haliax.hof import fold as fold, scan as scan, vmap as vmap
        from haliax.partitioning import named_jit as named_jit
        """,
    "axis.py": """
        class Axis: ...
        """,
    "hof.py": """
        from typing import Any
        from collections.abc import Callable
        from haliax._src.scan import fold as fold, scan as scan
        from haliax.axis import Axis

        def vmap(fn, axis: Axis): ...
        """,
    "_src/__init__.py": "",
    "_src/scan.py": """
        from typing import Any
        from collections.abc import Callable
        from haliax.axis import Axis

        def scan(f: Callable[..., Any], axis: Axis, *, unroll: int = 1) -> Callable[..., Any]: ...
        def fold(fn: Callable[..., Any], axis: Axis, *, unroll: int = 1) -> Callable[..., Any]: ...
        """,
    "partitioning.py": """
        from collections.abc import Callable, Mapping
        from typing import ParamSpec, Protocol, TypeVar, overload

        P = ParamSpec("P")
        R = TypeVar("R", covariant=True)

        class WrappedCallable(Protocol[P, R]):
            def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...

        @overload
        def named_jit(fn: Callable[P, R], axis_resources: Mapping[str, str] | None = None) -> WrappedCallable[P, R]: ...
        @overload
        def named_jit(
            *, axis_resources: Mapping[str, str] | None = None, donate_args: object = None
        ) -> Callable[[Callable[P, R]], WrappedCallable[P, R]]: ...
        def named_jit(fn=None, axis_resources=None, *, donate_args=None): ...
        """,
}
NAMED = """
import haliax
import jax
from haliax import Axis, named_jit
from haliax.partitioning import named_jit as compiled

@named_jit
def halved(x: jax.Array, n: int) -> jax.Array:
    if x > 0:  # E
        return x
    if n > 0:
        return x
    return x

@haliax.named_jit(donate_args=(True,))
def doubled(x: jax.Array, n: int) -> jax.Array:
    if x > 0:  # E
        return x
    return x if n > 0 else x + 1

def train(xs: list[jax.Array]) -> None:
    for x in xs:
        compiled(lambda y: y + 1)(x)  # E
    for x in xs:
        compiled(halved)(x, 1)

def over_axis(init: jax.Array, xs: jax.Array, axis: Axis) -> None:
    def folded(carry: int, x: jax.Array, n: int) -> int:
        if carry > 0:  # E
            return carry
        return carry if n > 0 else n

    def scanned(carry: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        while carry < 3:  # E
            carry = carry + 1
        return carry, x

    def mapped(x: jax.Array, n: int) -> jax.Array:
        return x if x > 0 and n > 0 else x + 1

    haliax.fold(folded, axis, unroll=2)(0, xs, 3)
    haliax.scan(f=scanned, axis=axis)(init, xs)
    haliax.vmap(mapped, axis)(xs, 1)
"""


@pytest.mark.parametrize(
    "marker", ["_pydantic_jax_static_field", pytest.param("program.JAX_STATIC", marks=pytest.mark.thorough)]
)
def test_a_static_marker_can_be_a_string_in_annotated(tmp_path: Path, marker: str) -> None:
    out = run_mypy(tmp_path, MARKED, f"[jaxtyped_static]\nstatic_markers = {marker}\n").out
    found = [line.split(":")[1] for line in out.splitlines() if "[static-mutable]" in line]
    assert found == (["8", "9"] if marker.startswith("_") else ["8"])


@pytest.mark.thorough
def test_the_answers_are_the_same_with_pydantics_plugin(tmp_path: Path) -> None:
    settings = "[jaxtyped_static]\nstatic_bases = program.Base\n"
    beside = run_mypy(tmp_path, MODELS, settings, plugins="jaxtyped_static_mypy, pydantic.mypy").out
    alone = run_mypy(tmp_path, MODELS, settings).out
    found = [line for line in alone.splitlines() if "[static-" in line]
    assert found == [line for line in beside.splitlines() if "[static-" in line]
    assert ['"xs"' in line or "Loose is not frozen" in line for line in found] == [True, True]


def test_haliax_is_known_by_the_modules_of_its_functions(tmp_path: Path) -> None:
    for name, text in HALIAX.items():
        path = tmp_path / "haliax" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    out = run_mypy(tmp_path, NAMED).out
    found = [int(line.split(":")[1]) for line in out.splitlines() if "[jit-" in line]
    assert found == [number for number, line in enumerate(NAMED.splitlines(), 1) if line.endswith("# E")], out


def test_the_source_of_a_library_with_a_file_is_not_read() -> None:
    names = libraries.PYTREE_DECORATORS | libraries.STATIC_DECORATORS | libraries.STATIC_SPECIFIERS
    assert {name.partition(".")[0] for name in names} <= KNOWN_PACKAGES
