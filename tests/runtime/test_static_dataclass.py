"""What a static class offers as a dataclass, and what it may not define."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, InitVar, asdict, astuple, fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

import pytest
from jaxtyping import jaxtyped

from jaxtyped_static import Static, StaticContractError, field, static_dataclass
from tests.runtime.static_values import Box, Grid, Solver, minmod

T = TypeVar("T")
ROOT = Path(__file__).parents[2]


def test_the_hash_is_the_slot_of_object() -> None:
    """JAX hashes on every call, and compares only objects with the same hash."""
    program = (
        "from tests.runtime.static_values import *\n"
        "Grid(shape=(1,), solver=Solver(2)), Box(Box(Solver(2, name='b'))), Solver(2) == Solver(3)\n"
        "print(all(cls.__hash__ is object.__hash__ for cls in (Box, SlottedBox, Solver, Grid)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "True", done.stderr


def test_fields_defaults_and_views() -> None:
    solver = Solver(2)
    assert solver is Solver(2, 1.0) is Solver(order=2, name="rk", limiter=minmod) is Solver(*astuple(solver))
    assert repr(replace(solver, scale=0.5)).startswith("Solver(order=2, scale=0.5, name='rk', limiter=<function minmod")
    assert asdict(solver) == {"order": 2, "scale": 1.0, "name": "rk", "limiter": minmod}
    assert [each.name for each in fields(solver)] == ["order", "scale", "name", "limiter"]
    assert is_dataclass(solver)
    assert replace(solver, order=3) is Solver(3)
    assert list(inspect.signature(Solver).parameters) == ["order", "scale", "name", "limiter"]
    assert str(inspect.signature(Grid)).startswith("(*, shape: 'tuple[T, ...]', solver: 'Solver'")
    with pytest.raises(TypeError, match=r"Solver\.__init__\(\) missing 1 required positional argument: 'order'"):
        Solver()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'ordre'"):
        Solver(ordre=1)  # type: ignore[call-arg]
    match solver:
        case Solver(order, name="rk"):
            assert order == 2
        case _:
            raise AssertionError


def test_nothing_can_be_assigned_or_deleted() -> None:
    solver: Any = Solver(2)
    for name in ("order", "new", "__class__"):
        with pytest.raises(FrozenInstanceError, match=rf"cannot assign to field '{name}': Solver is static"):
            setattr(solver, name, 3)
        with pytest.raises(FrozenInstanceError, match="cannot delete field"):
            delattr(solver, name)

    class Plain(Solver):
        pass

    plain: Any = Plain(2)
    with pytest.raises(FrozenInstanceError):
        plain.new = 1


@static_dataclass
class Options:
    """Uses every option of a field."""

    first: int
    kind: ClassVar[str] = "options"
    _: dataclasses.KW_ONLY
    scale: InitVar[float] = 2.0
    made: tuple[int, ...] = field(default_factory=lambda: (1, 2))
    doubled: float = field(init=False)
    constant: int = field(init=False, default=7)
    hidden: str = field(default="h", repr=False, metadata={"unit": "m"})
    marked: Static[int] = dataclasses.field(default=0)

    def __post_init__(self, scale: float) -> None:
        object.__setattr__(self, "doubled", self.first * scale)


def test_options_of_fields() -> None:
    value = Options(3, scale=4.0)
    assert (value.doubled, value.made, value.constant, Options.kind) == (12.0, (1, 2), 7, "options")
    assert value is Options(3, scale=4.0, made=(1, 2))
    assert value is not Options(3)
    assert "hidden" not in repr(value)
    assert fields(value)[4].metadata == {"unit": "m"}
    assert pickle.loads(pickle.dumps(value)) is value is copy.deepcopy(value)
    assert [parameter.kind.name for parameter in inspect.signature(Options).parameters.values()][:2] == [
        "POSITIONAL_OR_KEYWORD",
        "KEYWORD_ONLY",
    ]
    with pytest.raises(StaticContractError, match=r"Options\.made: list is mutable; use tuple instead"):
        Options(3, made=[1])  # type: ignore[arg-type]


def test_options_of_the_decorator() -> None:
    @static_dataclass(repr=False, match_args=False, kw_only=True, slots=True)
    class Plain:
        x: int
        y: int = 2

    @static_dataclass()
    class Called:
        x: int

    assert Plain(x=1) is Plain(y=2, x=1)
    assert "object at" in repr(Plain(x=1))
    assert not hasattr(Plain, "__match_args__") and not hasattr(Plain(x=1), "__dict__")
    assert Called(1) is Called(x=1)
    made: Any = type("Made", (), {"__annotations__": {"x": int}})
    assert static_dataclass(made)(1).x == 1
    with pytest.raises(TypeError):
        static_dataclass(eq=True)  # type: ignore[call-overload]


@pytest.mark.skipif(sys.version_info < (3, 13), reason="new in Python 3.13")
def test_copy_replace() -> None:
    replace_copy: Any = getattr(copy, "replace")  # noqa: B009
    assert replace_copy(Solver(2), order=3) is Solver(3)


def test_an_object_is_not_shared_before_post_init_returns() -> None:
    @static_dataclass
    class Checked:
        n: int
        root: float = 0.0

        def __post_init__(self) -> None:
            if self.n < 0:
                raise ValueError("negative")
            object.__setattr__(self, "root", self.n**0.5)

    for _ in range(2):
        with pytest.raises(ValueError, match="negative"):
            Checked(-1)
    assert Checked(4).root == 2.0
    assert Checked(4) is Checked(4, 99.0) is not Checked(5)

    @static_dataclass
    class Forgotten:
        n: int
        later: int = field(init=False)

    with pytest.raises(TypeError, match=r"Forgotten\.later was not set; set it in __post_init__ with object"):
        Forgotten(1)


def test_an_object_still_being_made_cannot_be_a_field_value() -> None:
    @static_dataclass
    class Parent:
        n: int
        child: Any = None

        def __post_init__(self) -> None:
            if self.child is None:
                object.__setattr__(self, "child", Box((1, self)))

    for _ in range(2):
        with pytest.raises(TypeError, match="this Parent is still being made, so another static object cannot hold it"):
            Parent(1)
    parent = Parent(1, child=2)
    assert Box(parent) is Box(Parent(1, 2))
    assert Parent(2, child=parent).child is parent


def test_a_hand_written_init() -> None:
    @static_dataclass
    class Parsed:
        n: int
        name: str = "default"

        def __init__(self, text: str) -> None:
            object.__setattr__(self, "n", int(text))
            object.__setattr__(self, "name", text.strip())

    assert Parsed("1") is Parsed("1") is not Parsed("01")

    @static_dataclass
    class Sub(Solver):
        extra: int = 0

        def __init__(self, n: int, *, forget: bool = False) -> None:
            if not forget:
                super().__init__(n, 2.0)
            object.__setattr__(self, "extra", 1)

    assert Sub(1) is Sub(1) is not Sub(2)
    assert astuple(Sub(1)) == (1, 2.0, "rk", minmod, 1)
    Solver.__init__(Sub(1), 7)
    assert Sub(1).order == 1
    with pytest.raises(TypeError, match=r"Sub\.__init__ did not set 'order'; set it with object\.__setattr__"):
        Sub(1, forget=True)


def test_a_later_wrapper_of_init_sees_the_arguments_and_the_finished_object() -> None:
    """As runtime type checkers do with dataclasses, directly or from an import hook."""
    seen: list[Any] = []

    def checked(cls: Any) -> Any:
        initialise, signature = cls.__init__, inspect.signature(cls.__init__)

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            bound = signature.bind(self, *args, **kwargs)
            initialise(self, *args, **kwargs)
            seen.append((bound.arguments["n"], self.n))

        cls.__init__ = __init__
        return cls

    @checked
    @static_dataclass
    class Config:
        n: int
        m: int = 0

    assert Config(1) is Config(1, m=0)
    assert seen == [(1, 1), (1, 1)]


def test_jaxtyping_checks_the_fields_of_a_static_class() -> None:
    def typechecker(fn: Any) -> Any:
        def check(*args: Any, **kwargs: Any) -> Any:
            assert not any(isinstance(value, str) for value in kwargs.values()), "not a number"
            return fn(*args, **kwargs)

        return check

    decorate: Any = jaxtyped(typechecker=typechecker)

    @decorate
    @static_dataclass
    class Config:
        n: int
        m: int = 0

    assert Config(1) is Config(1, m=0)
    assert replace(Config(1), m=2) is Config(1, 2)


def test_what_a_static_class_may_not_define() -> None:
    def refused(match: str, make: Callable[[], object]) -> None:
        with pytest.raises(TypeError, match=match):
            make()

    def body(**names: Any) -> Any:
        return type("Bad", (), {"__annotations__": {"x": int}, **names})

    for name in ("__eq__", "__hash__", "__new__", "__setattr__", "__delattr__", "__reduce__"):
        method = body(**{name: lambda self, *_: 1})
        refused(rf"Bad defines {name}, which @static_dataclass generates; drop it", partial(static_dataclass, method))
    refused("Solver is already a static class; decorate it once", lambda: static_dataclass(Solver))
    twice = dataclasses.make_dataclass("Twice", ["x"], frozen=True)
    refused(
        "Twice is already a dataclass; drop @dataclass, which @static_dataclass implies",
        partial(static_dataclass, twice),
    )
    refused(r'add "__weakref__" to its __slots__', lambda: static_dataclass(body(__slots__=("x",))))
    assert static_dataclass(body(__slots__=("x", "__weakref__")))(1).x == 1

    class Name(NamedTuple):
        x: int

    class Sub(Name):
        y: int = 0

    refused(
        r"Sub inherits Name\.__new__, so @static_dataclass cannot make its objects; hold a Name",
        lambda: static_dataclass(Sub),
    )

    @dataclasses.dataclass
    class Mutable:
        x: int

    refused(
        "S inherits from the dataclass Mutable, which is not frozen; declare Mutable",
        lambda: static_dataclass(type("S", (Mutable,), {})),
    )

    with pytest.raises(StaticContractError) as caught:

        @static_dataclass
        class Coarse:
            x: int
            name: str = dataclasses.field(default="", compare=False)  # type: ignore[static-eq]

    assert (caught.value.code, caught.value.path) == ("static-eq", "Coarse.name")
