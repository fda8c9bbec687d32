"""A marker that cannot take effect raises at decoration; the message says where, what was found and what to write."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, TypedDict, Union, Unpack

import jax
import pytest

from jaxtyped_static import Dynamic, JitArgumentsError, MarkerError, Static, jit, static_dataclass, static_params
from tests.runtime.tracing import load


def with_annotation(annotation: Any) -> Callable[..., Any]:
    def step(x, n):  # type: ignore[no-untyped-def]
        return x

    step.__annotations__ = {"n": annotation}
    return step


@pytest.mark.parametrize(
    ("annotation", "found", "advice"),
    [
        (Optional[Static[int]], "Static[int] | None", "write `Static[int | None]`"),  # noqa: UP045
        (Union[Static[int], str], "Static[int] | str", "write `Static[int | str]`"),  # noqa: UP007
        (Static[int] | None, "Static[int] | None", "write `Static[int | None]`"),
        (list[Static[int]], "list[Static[int]]", "write `Static[list[int]]`"),
        (tuple[Static[int], ...], "tuple[Static[int], ...]", "write `Static[tuple[int, ...]]`"),
        (dict[str, list[Static[int]]], "dict[str, list[Static[int]]]", "write `Static[dict[str, list[int]]]`"),
        (Callable[[Static[int]], int], "Callable[[Static[int]], int]", "write `Static[Callable[[int], int]]`"),
        (Static[Literal["a"]] | None, "Static[Literal['a']] | None", "write `Static[Literal['a'] | None]`"),  # type: ignore[misc]
        (list["Static[int]"], "list[Static[int]]", "write `Static[list[int]]`"),
        (list[Dynamic[int]], "list[Dynamic[int]]", "write `Dynamic[list[int]]`"),
        ("Static[int] | None", "Static[int] | None", "write `Static[int | None]`"),
        ("Optional[Static[int]]", "Optional[Static[int]]", "write `Static[Optional[int]]`"),
        ("list['Static[int]']", "list['Static[int]']", "write `Static[list[int]]`"),
        ("Static[int] | Unknown", "Static[int] | Unknown", "`Unknown`, undefined here"),
        (Static[Dynamic[int]], "Static[Dynamic[int]]", "keep one of the two markers"),
        ("Dynamic[Static[int]]", "Dynamic[Static[int]]", "keep one of the two markers"),
        (tuple[Static[int], Dynamic[int]], "tuple[Static[int], Dynamic[int]]", "split it into one parameter"),
        (Static, "Static", "as in `Static[int]`"),
        ("Static", "Static", "as in `Static[int]`"),
        ("Static | None", "Static | None", "as in `Static[int]`"),
        (Annotated[int, Static], "Annotated[int, ...]", "as in `Static[int]`"),
        (Annotated[int, "m", Dynamic[int]], "Annotated[int, ...]", "as in `Static[int]`"),
        ("Annotated[int, Static]", "Annotated[int, Static]", "as in `Static[int]`"),
        ("Statc[int]", "Statc[int]", "`Statc`, undefined here"),
        ("Static[int", "Static[int", "not a Python expression"),
        ("missing.Static[int]", "missing.Static[int]", "`missing`, undefined here"),
        ("pytest.Static[int]", "pytest.Static[int]", "`Static` of `pytest`"),
        ("undefined()", "undefined()", "`undefined`, undefined here"),
        ("len()", "len()", "cannot be evaluated (TypeError: len() takes"),
    ],
)
def test_a_marker_without_effect_names_function_parameter_finding_and_advice(
    annotation: object, found: str, advice: str
) -> None:
    with pytest.raises(MarkerError) as caught:
        jit(with_annotation(annotation))

    message = str(caught.value)
    assert message.startswith("with_annotation.<locals>.step (test_refusals.py:")
    assert "parameter `n`" in message
    assert f"found `{found}`" in message
    assert advice in message
    assert message.endswith("[static-marker]")
    assert (caught.value.code, caught.value.parameter) == ("static-marker", "n")


def test_something_dynamic_inside_something_static() -> None:
    with pytest.raises(MarkerError) as caught:
        jit(with_annotation(Static[tuple[Dynamic[int], str]]))  # type: ignore[misc]
    assert caught.value.code == "static-dynamic"


@dataclasses.dataclass(frozen=True)
class Step:
    dt: Dynamic[float]


def test_a_static_class_inherits_no_dynamic_field() -> None:
    with pytest.raises(MarkerError, match=r"^Fixed\.dt: found `Dynamic\[float\]`, but every field of a static class"):

        @static_dataclass
        class Fixed(Step):  # type: ignore[static-dynamic]
            order: int

    @static_dataclass
    class Redeclared(Step):
        dt: float

    assert Redeclared(1.0).dt == 1.0


@pytest.mark.parametrize("annotation", [Dynamic[float], Dynamic[jax.Array], Dynamic[float] | None, "Dynamic[float]"])
def test_a_field_of_a_static_class_marked_dynamic(annotation: Any) -> None:
    for decorate in (static_dataclass, static_dataclass(kw_only=True)):
        with pytest.raises(MarkerError, match=r"but every field of a static class is static; remove the mar") as caught:
            decorate(type("Solver", (), {"__annotations__": {"n": int, "dt": annotation}, "__module__": __name__}))
        assert (caught.value.code, caught.value.function, caught.value.field) == ("static-marker", "Solver", "dt")


def test_other_annotations_of_a_static_class_are_not_read() -> None:
    annotations = {"n": Static[int], "m": "Missing", "k": "Static[float] | None"}
    made: Any = static_dataclass(type("Solver", (), {"__annotations__": annotations, "__module__": __name__}))
    assert made(1, 2, 3) is made(n=1, m=2, k=3)


class Options(TypedDict):
    n: Static[int]


def args(x: float, *sizes: Static[int]) -> float:
    return x


def kwargs(x: float, **sizes: Static[int]) -> float:
    return x


def unpacked(x: float, **sizes: Unpack[Options]) -> float:
    return x


@pytest.mark.parametrize(("function", "stars"), [(args, "*"), (kwargs, "**"), (unpacked, "**")])
def test_a_static_marker_on_variadic_arguments(function: Callable[..., Any], stars: str) -> None:
    with pytest.raises(JitArgumentsError) as caught:
        jit(function)
    assert f"`{stars}sizes: " in str(caught.value)
    assert "write one named parameter for each" in str(caught.value)
    assert caught.value.code == "jit-argnames"


def test_a_dynamic_marker_on_variadic_arguments_is_allowed() -> None:
    @jit
    def total(*xs: Dynamic[float], **more: Dynamic[float]) -> Any:
        return sum(xs) + sum(more.values())

    assert total(1.0, 2.0, k=3.0) == 6.0


def test_a_marker_on_the_result() -> None:
    def step(x):  # type: ignore[no-untyped-def]
        return x

    step.__annotations__ = {"return": Static[float]}
    with pytest.raises(MarkerError, match=r"found `Static\[float\]` as the return type"):
        jit(step)


def test_a_function_without_source_is_refused_only_for_unknown_names(tmp_path: Path) -> None:
    namespace: dict[str, Any] = {}
    exec(
        "from __future__ import annotations\n"
        "from jaxtyped_static import Static\n"
        "def clear(x: int, n: Static[Unknown]): ...\n"
        "def unclear(x: int, n: Unknown): ...\n",
        namespace,
    )
    jit(namespace["clear"])
    with pytest.raises(MarkerError, match="`Unknown`, undefined here"):
        jit(namespace["unclear"])


def test_a_star_import_that_exists_only_for_checkers_cannot_be_looked_through(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        """
        from __future__ import annotations
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from somewhere import *

        def step(x, n: Size): ...
        """,
    )
    with pytest.raises(MarkerError, match="`Size`, undefined here"):
        jit(program.step)


def test_jax_still_refuses_its_own_invalid_options() -> None:
    with pytest.raises(TypeError, match="needs a callable, got 3"):
        static_params(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="callable"):
        jit(3)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="unexpected keyword"):
        jit(lambda x: x, static_argnamez=())  # type: ignore[call-overload]


def test_the_errors_travel_between_processes() -> None:
    error = JitArgumentsError("found", code="jit-argnames", function="f", parameter="n")
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (type(twin), str(twin), vars(twin)) == (JitArgumentsError, str(error), vars(error))
