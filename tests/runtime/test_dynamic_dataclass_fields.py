"""Finds the static fields of a dynamic class, however their annotations are written."""

from __future__ import annotations

import dataclasses
import sys
import types
from pathlib import Path
from textwrap import dedent
from typing import Any

import jax
import jax_dataclasses as jdc
import pytest

from jaxtyped_static import Static, dynamic_dataclass
from tests.runtime.tracing import load

HEADER = """
import dataclasses
import typing
from dataclasses import InitVar, KW_ONLY, dataclass
from typing import Annotated, Any, ClassVar, Final, Generic, Literal, Optional, TypeVar, TYPE_CHECKING
import jax
import jax_dataclasses as jdc
import jaxtyping
import jaxtyped_static
import jaxtyped_static as js
from jaxtyped_static import Dynamic, Static, dynamic_dataclass, field
if TYPE_CHECKING:
    from somewhere import Elsewhere
    from jaxtyped_static import Static as OnlyChecked

T = TypeVar("T")
StaticInt = Static[int]
StaticOf = Static[T]
Doc = Annotated[Static[int], "doc"]
"""
FUTURE = "from __future__ import annotations\n"


def static_names(cls: Any) -> list[str]:
    """Returns the static fields as JAX sees them: those without leaves."""
    values = [1] * len(dataclasses.fields(cls))
    names = {field.name for field in dataclasses.fields(cls)}
    data = {path[0].name for path, _ in jax.tree_util.tree_flatten_with_path(cls(*values))[0]}
    return sorted(names - data)


STATIC = [
    "Static[int]",
    "'Static[int]'",
    "Static['Unknown']",
    "jaxtyped_static.Static[int]",
    "js.Static[int]",
    "StaticInt",
    "StaticOf[int]",
    "Doc",
    "Annotated[int, 'doc', js._markers.Marker.STATIC]",
    "Static[int | None]",
    "Static[tuple[int, ...]]",
    "Static[T]",
    "Final[Static[int]]",
    "typing.Final[Static[int]]",
    "jdc.Static[int]",
]
DYNAMIC = [
    "int",
    "Any",
    "Dynamic[int]",
    "Optional[int]",
    "'int'",
    "T",
    "list[int]",
    "Final[int]",
    "Final",
    "Literal['Static']",
    "'the grid spacing'",
    "'C | None'",
    "typing.Callable[[int], int]",
    "Annotated[int, 'Static']",
    "jaxtyping.Float[jax.Array, 'n m']",
]


@pytest.mark.parametrize("future", ["", FUTURE], ids=["objects", "text"])
def test_spellings(future: str, tmp_path: Path) -> None:
    for number, (annotation, static) in enumerate([(a, ["x"]) for a in STATIC] + [(a, []) for a in DYNAMIC]):
        body = f"\n@dynamic_dataclass\nclass C(Generic[T]):\n    x: {annotation} = 1\n    y: int = 1\n"
        module = load(tmp_path, future + HEADER + body, f"spelled_{number}_{bool(future)}")
        assert static_names(module.C) == static, annotation


def test_names_that_exist_only_for_checkers(tmp_path: Path) -> None:
    body = """
    @dynamic_dataclass
    class C:
        a: OnlyChecked[int]
        b: Elsewhere | None
        c: Static[Elsewhere]
        d: C | None = None
    """
    assert static_names(load(tmp_path, FUTURE + HEADER + dedent(body)).C) == ["a", "c"]


@pytest.mark.parametrize("future", ["", FUTURE], ids=["objects", "text"])
def test_annotations_that_are_not_fields(future: str, tmp_path: Path) -> None:
    body = """
    from typing import ClassVar as Shared

    @dynamic_dataclass
    class C:
        a: Static[int]
        kind: ClassVar[str] = "c"
        other: Shared["Unknown"] = "d"
        _: KW_ONLY
        scale: InitVar[int] = 2
        b: int = field(init=False)

        def __post_init__(self, scale):
            object.__setattr__(self, "b", self.a * scale)
    """
    made = load(tmp_path, future + HEADER + dedent(body)).C(3)
    assert jax.tree.leaves(made) == [6]


def test_local_names() -> None:
    Here = Static[int]

    def make(There: Any) -> Any:
        class Outer:
            Inner = Static[str]

            @dynamic_dataclass
            class C:
                a: Here
                b: There
                c: int
                d: Outer  # not bound yet
                e: C  # type: ignore[name-defined]  # noqa: F821

        class Sub:
            pass

        return Outer.C

    assert static_names(make(Static[int])) == ["a", "b"]
    assert static_names(make(int)) == ["a"]


def test_names_of_the_class_body() -> None:
    @dynamic_dataclass
    class C:
        Alias = Static[int]
        a: Alias
        date: date  # type: ignore[valid-type]
        b: int = 0

    assert static_names(C) == ["a"]


def date() -> None: ...


@dataclasses.dataclass(frozen=True)
class PlainBase:
    a: Static[int]
    b: Any = 0
    c: Static[int] = 0


@dynamic_dataclass
class Base(PlainBase):
    d: Static[int] = 0
    e: Any = 0


def test_inherited_fields() -> None:
    @dynamic_dataclass
    class Sub(Base):
        b: Static[int] = 1
        c: Any = 0
        f: Static[str] = ""

    @dynamic_dataclass
    class Mixed(Sub, PlainBase):
        pass

    class Abstract:
        z: Static[int]

    @dynamic_dataclass
    class NotAField(Abstract, Base):
        pass

    assert static_names(Base) == ["a", "c", "d"]
    assert static_names(Sub) == static_names(Mixed) == ["a", "b", "d", "f"]
    assert static_names(NotAField) == ["a", "c", "d"]


def test_a_base_keeps_the_reading_from_its_own_decoration() -> None:
    def make(There: Any) -> Any:
        @dynamic_dataclass
        class Base:
            a: There
            b: Any

        return Base

    @dynamic_dataclass
    class Sub(make(Static[int])):  # type: ignore[misc]
        c: Any

    assert static_names(Sub) == ["a"]


def test_a_base_from_another_module(tmp_path: Path) -> None:
    names = (FUTURE + HEADER, "Marked = Static[int]\n@dataclass(frozen=True)\nclass Base:\n    a: Marked\n    b: int\n")
    base = load(tmp_path, "".join(names), "base_of_another")
    sys.modules["base_of_another"] = base
    try:

        @dynamic_dataclass
        class Sub(base.Base):  # type: ignore[name-defined, misc]
            c: Any
    finally:
        del sys.modules["base_of_another"]
    assert static_names(Sub) == ["a"]


def test_a_class_made_without_a_class_statement() -> None:
    made = dataclasses.make_dataclass("Made", [("x", int), ("n", Static[int])], frozen=True)

    @dynamic_dataclass
    class Sub(made):  # type: ignore[misc, valid-type]
        pass

    typed: Any = types.new_class("T", exec_body=lambda body: body.update({"__annotations__": {"n": "Static[int]"}}))
    typed.__module__ = __name__
    assert static_names(Sub) == static_names(dynamic_dataclass(typed)) == ["n"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_type_parameters_and_type_statements(tmp_path: Path) -> None:
    body = """
    type Marked = Static[int]
    type Of[S] = Static[S]

    @dynamic_dataclass
    class C[S]:
        a: Marked
        b: Of[int]
        c: Static[S]
        d: S
        e: list[S] | None = None
    """
    for future in ("", FUTURE):
        assert static_names(load(tmp_path, future + HEADER + dedent(body), f"new{bool(future)}").C) == ["a", "b", "c"]


def test_the_metadata_of_other_libraries() -> None:
    @dynamic_dataclass
    class C:
        a: int = dataclasses.field(metadata={"static": True})
        b: int = dataclasses.field(metadata={"static": False})
        c: int = dataclasses.field(metadata={"pytree_node": False})
        d: Static[int] = dataclasses.field(metadata={"static": True})
        e: jdc.Static[int] = 1

    assert static_names(C) == ["a", "c", "d", "e"]
