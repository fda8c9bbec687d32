"""Decorators of others on top of ours, things that are not classes, and many threads at once."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from beartype import beartype
from beartype.roar import BeartypeCallHintParamViolation

from jaxtyped_static import Static, dynamic_dataclass, field, static_dataclass, static_params
from tests.runtime.tracing import load


def test_beartype_checks_the_arguments_of_a_decorated_class() -> None:
    @beartype
    @static_dataclass
    class Grid:
        cells: int
        names: tuple[str, ...] = field(default_factory=tuple)
        width: float = field(default=1.0, kw_only=True)

    grid = Grid(4, width=0.5)
    assert grid is Grid(cells=4, names=(), width=0.5) and grid != Grid(4)
    wrong: Any = "4"
    for _ in range(2):  # The second time, the object may exist already.
        with pytest.raises(BeartypeCallHintParamViolation, match="cells='4' violates type hint"):
            Grid(wrong)
    with pytest.raises(BeartypeCallHintParamViolation, match="width='4' violates type hint"):
        Grid(4, width=wrong)


@pytest.mark.parametrize("decorator", [static_dataclass, dynamic_dataclass])
@pytest.mark.parametrize("value", [3, "Grid", lambda: 3])
def test_a_decorated_object_that_is_not_a_class_is_named(decorator: Any, value: object) -> None:
    with pytest.raises(TypeError, match=f"@{decorator.__name__} needs a class, got (3|'Grid'|<function)"):
        decorator(value)


def test_an_object_can_be_remade_from_its_attributes() -> None:
    @dynamic_dataclass
    class State:
        x: float
        n: Static[int] = 2

    state = State(1.0, 3)
    assert vars(state) == {"x": 1.0, "n": 3} and State(**vars(state)) == state


def test_annotations_are_read_in_many_threads_at_once(tmp_path: Path) -> None:
    names = [f"Name{number}" for number in range(20)]
    aliases = "\n".join(f"    {name} = Static[int]" for name in names)
    one = "def {name}_(x: 'list[dict[str, tuple[int, ...]]]', n: '{name}'): return x"
    functions = "\n".join(one.format(name=name) for name in names)
    source = f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from jaxtyped_static import Static\n{aliases}\n"
    modules = [load(tmp_path, f"{source}\n{functions}\n# {number}", f"module{number}") for number in range(4)]
    failures: list[BaseException] = []

    def read(module: Any) -> None:
        try:
            for name in names:
                assert static_params(getattr(module, f"{name}_")).argnames == ("n",)
        except BaseException as error:
            failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=read, args=(module,)) for module in modules]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failures
