"""A marker is found in every way of writing an annotation."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, TypeVar  # noqa: F401  # Some are used in strings only.

import jax.typing
import numpy as np  # noqa: F401
import pytest
from jax import Array  # noqa: F401
from typing_extensions import TypeAliasType

from jaxtyped_static import Dynamic, MarkerError, Static, jit, static_params
from jaxtyped_static.types import StaticParams
from tests.runtime.tracing import arrival, load

T = TypeVar("T")

StaticInt = Static[int]
Pair = Static[tuple[T, T]]
Documented = Annotated[T, "documented"]
BoxedInt = TypeAliasType("BoxedInt", Static[int])
Boxed = TypeAliasType("Boxed", Static[T], type_params=(T,))


def annotated(annotation: Any) -> Callable[..., Any]:
    def f(x, n):  # type: ignore[no-untyped-def]
        return x

    f.__annotations__ = {"n": annotation}
    return f


@pytest.mark.parametrize(
    "annotation",
    [
        Static[int],
        StaticInt,
        Pair[int],  # type: ignore[misc]
        Annotated[Static[int], "doc"],
        Documented[Static[int]],
        Static[Documented[int]],
        Static[Static[int]],
        Static[Optional[int]],  # type: ignore[misc]  # noqa: UP045
        Static["Unknown"],  # type: ignore[name-defined, misc]
        BoxedInt,
        Boxed[int],
        "Static[int]",
        "'Static[int]'",
        " Static[int]",
        "\n    Static[\n        int\n    ]  # how many\n",
        "StaticInt",
        "Pair[int]",
        "Annotated[Static[int], 'doc']",
        "Annotated[StaticInt, print]",
        "Documented[Static[int]]",
        "BoxedInt",
        "Boxed[int]",
        "Static['Unknown | None']",
        "Static[Unknown]",
        "Static[list[Unknown]]",
        "Static[Callable[[Unknown], int]]",
        "Static[int if sys else str]",
        "(StaticInt if sys else int)",
    ],
)
def test_static_is_seen(annotation: object) -> None:
    assert static_params(annotated(annotation)) == StaticParams((1,), ("n",))


@pytest.mark.parametrize(
    "annotation",
    [
        int,
        None,
        Dynamic[int],
        list[int] | None,
        "Dynamic[int]",
        "list['Path']",
        "Literal['Static[int]']",
        "Float[Array, 'batch time']",
        "Float[Array, 'n']",
        "T",
        "Callable[..., int]",
        "tuple[int, ...]",
        "np.ndarray",
        "the grid spacing",
    ],
)
def test_all_other_parameters_are_dynamic(annotation: object) -> None:
    assert static_params(annotated(annotation)) == StaticParams((), ())


class Float:
    """Runs its own code when subscripted, like jaxtyping's."""

    def __class_getitem__(cls, item: object) -> type:
        raise AssertionError("reading an annotation must not subscript it")


def test_names_local_to_a_function_are_found_where_it_is_decorated() -> None:
    Local = Static[int]

    @jit
    def by_text(x: float, n: Local) -> Any:
        assert arrival(n) == "concrete"
        return x * n

    @dataclass(frozen=True)
    class Inner:
        Nested = Static[str]

        @jit
        def method(self: Static[Inner], x: float, n: Local, name: Nested) -> Any:
            assert arrival(n) == arrival(name) == "concrete"
            return x

    assert by_text(2.0, 3) == 6.0
    assert Inner().method(2.0, 3, "a") == 2.0


def factory() -> Callable[..., Any]:
    Local = Static[int]
    Later = StaticInt

    class Grid: ...

    def f(x: float, n: Local, grid: Grid, m: Later) -> Any:  # type: ignore[valid-type]
        return x

    return f


def test_names_local_to_a_function_that_has_returned_are_read_from_its_source() -> None:
    assert static_params(factory()) == StaticParams((1, 3), ("n", "m"))


def parametrised(Local: Any) -> tuple[Any, Callable[..., Any]]:
    def f(x: float, n: Local) -> Any:
        return x

    def capturing(x: float, n: Local) -> Any:
        assert Local
        return x

    return static_params(f), capturing


def test_names_local_to_a_running_function_come_from_its_frame_or_the_closure() -> None:
    inside, capturing = parametrised(Static[int])
    assert inside == static_params(capturing) == StaticParams((1,), ("n",))
    inside, capturing = parametrised(int)
    assert inside == static_params(capturing) == StaticParams((), ())


def outer(fun: Callable[..., Any]) -> StaticParams:
    Local = int
    assert Local is int
    return static_params(fun)


def test_a_function_of_another_module_with_the_same_path_does_not_see_the_caller_s_names(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        """
        from __future__ import annotations
        from jaxtyped_static import Static

        Local = Static[int]

        def outer():
            def f(x, n: Local): ...
            return f
        """,
    )
    assert outer(program.outer()) == StaticParams((1,), ("n",))


def test_a_local_name_of_the_caller_is_not_mistaken_for_the_function_s_own() -> None:
    StaticInt = int
    assert StaticInt is int
    assert static_params(annotated("StaticInt")) == StaticParams((1,), ("n",))


LIBRARY = """
    from jaxtyped_static import Static
    raise AssertionError("must not be imported")
    class Grid: ...
    StaticGrid = Static[Grid]
    from library import Grid as Other
"""

PROGRAM = """
    from __future__ import annotations
    import typing
    from typing import TYPE_CHECKING
    from jaxtyped_static import jit

    if TYPE_CHECKING:
        import jaxtyped_static as js
        import library as lib
        from _typeshed import SupportsRead
        from jaxtyped_static import Static
        from jaxtyped_static import Static as Fixed
        from library import Grid, Other, StaticGrid
        if typing.TYPE_CHECKING:
            Number = Static[int]

    def f(a: Static[Grid], b: Fixed[int], c: js.Static[int], d: StaticGrid, e: lib.StaticGrid, f: Number): ...
    def g(a: Grid, b: Other, c: lib.Grid, d: SupportsRead[str], e: list[Grid] | None, f: Later): ...
    def h(a: Static[int] | None): ...
    def i(a: lib.Missing): ...

    class Later: ...
"""


def test_names_that_exist_only_for_checkers_are_read_from_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "library.py").write_text("\n".join(line.strip() for line in LIBRARY.splitlines()))
    program = load(tmp_path, PROGRAM)
    assert "Static" not in vars(program)

    assert static_params(program.f).argnums == (0, 1, 2, 3, 4, 5)
    assert static_params(program.g).argnums == ()
    with pytest.raises(MarkerError, match="write `Static"):
        static_params(program.h)
    with pytest.raises(MarkerError, match=r"`lib\.Missing`.*`Missing` of `library`"):
        static_params(program.i)
    assert "library" not in sys.modules


def test_an_alias_defined_below_the_decorated_function_is_read_from_the_source(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        """
        from __future__ import annotations
        from jaxtyped_static import Static, jit, static_params

        def decorate(f):
            found.append(static_params(f).argnums)
            return f

        found = []

        @decorate
        def f(x, n: Below): ...

        Below = Static[int]
        """,
    )
    assert program.found == [(1,)]


def test_circular_aliases_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "circle.py").write_text("from other_circle import Name\n")
    (tmp_path / "other_circle.py").write_text("from circle import Name\n")
    program = load(
        tmp_path,
        """
        from __future__ import annotations
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from circle import Name
            Tree = list[Tree] | int

        def f(x: Tree): ...
        def g(x: Name): ...
        """,
    )
    assert static_params(program.f) == StaticParams((), ())
    with pytest.raises(MarkerError, match="circular import"):
        static_params(program.g)


PEP_695 = """
    {future}
    from jaxtyped_static import Static, jit

    type Size = Static[int]
    type Sized[T] = Static[tuple[T, ...]]
    type Tree = int | list[Tree]
    type Hidden = NotThere

    def f[T](x: T, n: Static[int], m: Size, s: Sized[T], t: Tree): ...

    class Box[U]:
        def method(self, x: U, n: Static[U]): ...

    def unclear(x: Hidden): ...
    def nested(x: list[Size]): ...
"""


@pytest.mark.parametrize("future", ["", "from __future__ import annotations"])
def test_type_parameters_and_type_statements(tmp_path: Path, future: str) -> None:
    if sys.version_info < (3, 12):
        with pytest.raises(SyntaxError):
            load(tmp_path, PEP_695.format(future=future))
        return
    program = load(tmp_path, PEP_695.format(future=future))
    assert static_params(program.f).argnums == (1, 2, 3)
    assert static_params(program.Box.method).argnums == (2,)
    with pytest.raises(MarkerError, match=r"alias `Hidden`.*'NotThere'"):
        static_params(program.unclear)
    with pytest.raises(MarkerError, match="inner marker"):
        static_params(program.nested)


def test_markers_of_other_packages_are_read_without_importing_them(tmp_path: Path) -> None:
    # What `jax_dataclasses.Static` is, in every release.
    theirs = Annotated[T, "__jax_dataclasses_static_field__"]
    assert static_params(annotated(theirs[int])) == StaticParams((1,), ("n",))
    with pytest.raises(MarkerError, match=r"write `Static\[int \| None\]`"):
        static_params(annotated(theirs[int] | None))


@pytest.mark.parametrize("form", [Annotated[T, object()], list])
def test_a_future_static_of_jax_typing_is_read(monkeypatch: pytest.MonkeyPatch, form: Any) -> None:
    monkeypatch.setattr(jax.typing, "Static", form, raising=False)
    assert static_params(annotated(form[int])) == StaticParams((1,), ("n",))
    assert static_params(annotated(tuple[int])) == StaticParams((), ())
