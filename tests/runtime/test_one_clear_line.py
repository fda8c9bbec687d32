"""Frequent slips get one line that says what is wrong and what to write."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import traceback
from collections.abc import Callable
from typing import Any, ForwardRef, NamedTuple, get_args

import attrs
import jax
import jax.numpy as jnp
import pydantic
import pytest

from jaxtyped_static import Dynamic, Static, StaticContractError, dynamic_dataclass, guard, jit, static_dataclass
from tests.runtime.guarded_values import Model, Registry, refusal, unseen, weigh

guard_itself = unseen(guard)


def bare_block() -> None:
    with guard_itself:
        raise AssertionError


def block_of_a_function() -> None:
    with guard_itself(weigh):
        raise AssertionError


def asynchronous_block(make: Callable[[], Any]) -> None:
    async def program() -> None:
        async with make():
            raise AssertionError

    asyncio.run(program())


async def block_of_a_coroutine() -> None:
    async with guard_itself(weigh):
        raise AssertionError


class Pair(NamedTuple):
    left: int


@dataclasses.dataclass
class Base:
    n: int = 1


def derived() -> type:
    class Derived(Base):
        m: int = 2

    return Derived


@attrs.define
class Attrs:
    n: int


class Validated(pydantic.BaseModel):
    n: int


def foreign(base: Any) -> type:
    class Derived(base):  # type: ignore[misc]
        m: int

    return Derived


FOREIGN = "Derived inherits fields from {0}, a class of {1}, and @{2} would not set them; hold a {0} in a field instead"
NOT_ASYNC = "guard is no asynchronous context; write `with guard():`, also in a coroutine"
NO_FUNCTION = "`with guard(...):` guards the whole block, and takes no function; write `with guard():`"
MODEL = "Validated is a pydantic model; write `class Validated:` without that base, below @{}"
UNFROZEN = "Derived inherits from the dataclass Base, which is not frozen; declare Base @dataclass(frozen=True)"


SLIPS: dict[str, tuple[Callable[[], Any], str]] = {
    "with guard": (bare_block, "`with guard:` lacks the parentheses; write `with guard():`"),
    "with guard of a function": (block_of_a_function, NO_FUNCTION),
    "async with guard of a function": (lambda: asyncio.run(block_of_a_coroutine()), NO_FUNCTION),
    "async with guard": (lambda: asynchronous_block(guard), NOT_ASYNC),
    "async with guard, without parentheses": (lambda: asynchronous_block(lambda: guard_itself), NOT_ASYNC),
    "Static of a number": (lambda: unseen(Static)[3], "Static[...] takes one type, got 3; write `n: Static[int]`"),
    "Static of a list": (lambda: unseen(Static)[[1]], "Static[...] takes one type, got [1]; write `n: Static[int]`"),
    "Static of nothing": (lambda: unseen(Static)[()], "Static[...] takes one type, got (); write `n: Static[int]`"),
    "Dynamic of a text": (
        lambda: unseen(Dynamic)["x y"],
        "Dynamic[...] takes one type, got 'x y'; write `n: Dynamic[int]`",
    ),
    "static pydantic model": (lambda: unseen(static_dataclass)(Validated), MODEL.format("static_dataclass")),
    "dynamic pydantic model": (lambda: unseen(dynamic_dataclass)(Validated), MODEL.format("dynamic_dataclass")),
    "guard of a class": (
        lambda: guard_itself(Base),
        f"guard decorates a function, got {Base!r}; write `with guard():` around the calls",
    ),
    "guard of a flag": (
        lambda: guard_itself(True),
        "guard decorates a function, got True; write `with guard():` around the calls",
    ),
    "Static called": (
        lambda: unseen(Static)(3),
        "Static is not called: it marks the type in an annotation; write `n: Static[int]`",
    ),
    "Dynamic called": (
        lambda: unseen(Dynamic)(),
        "Dynamic is not called: it marks the type in an annotation; write `n: Dynamic[int]`",
    ),
    "static NamedTuple": (
        lambda: unseen(static_dataclass)(Pair),
        "Pair is a NamedTuple; write `class Pair:` without that base, below @static_dataclass",
    ),
    "dynamic NamedTuple": (
        lambda: unseen(dynamic_dataclass)(Pair),
        "Pair is a NamedTuple; write `class Pair:` without that base, below @dynamic_dataclass",
    ),
    "static class of attrs": (
        lambda: unseen(static_dataclass)(Attrs),
        "Attrs is already a class of attrs; drop attrs' decorator, and keep @static_dataclass",
    ),
    "static class with a base of attrs": (
        lambda: unseen(static_dataclass)(foreign(Attrs)),
        FOREIGN.format("Attrs", "attrs", "static_dataclass"),
    ),
    "dynamic class with a base of attrs": (
        lambda: unseen(dynamic_dataclass)(foreign(Attrs)),
        FOREIGN.format("Attrs", "attrs", "dynamic_dataclass"),
    ),
    "dynamic class with a base of pydantic": (
        lambda: unseen(dynamic_dataclass)(foreign(Validated)),
        FOREIGN.format("Validated", "pydantic", "dynamic_dataclass"),
    ),
    "static class with a base that can change": (lambda: unseen(static_dataclass)(derived()), UNFROZEN),
    "dynamic class with a base that can change": (lambda: unseen(dynamic_dataclass)(derived()), UNFROZEN),
}


@pytest.mark.parametrize(("slip", "says"), SLIPS.values(), ids=SLIPS)
def test_the_line(slip: Callable[[], Any], says: str) -> None:
    with pytest.raises(TypeError) as caught:
        slip()
    assert str(caught.value) == says


def test_guard_without_parentheses_decorates_a_function() -> None:
    @guard
    def program(model: Model) -> Any:
        """Has a docstring."""
        return weigh(1.0, model)

    model = Model(Registry())
    assert program(model) == 2
    model.registry.weight = 5.0
    assert refusal(lambda: program(model)).path == "Model.registry.weight"
    assert (program.__name__, program.__doc__) == ("program", "Has a docstring.")


def test_markers_still_mark() -> None:
    assert jit(lambda x, n: x, static_argnames="n")(1.0, n=2) == 1
    assert unseen(Static[int])("3") == 3 and Static[int] == Static[int] != Dynamic[int]
    assert get_args(unseen(Static)["Later"])[0] == ForwardRef("Later")
    assert get_args(unseen(Static)[None])[0] is type(None)


class Machine:
    __hash__ = None  # type: ignore[assignment]

    @jit
    def run(self: Static[Any], x: Any) -> Any:
        return x


@jit
def static_step(x: Any, n: Static[Any], *, other: Static[Any] = None) -> Any:
    return x


step: Any = static_step  # mypy would find these faults.
plain: Any = jax.jit(step.__wrapped__, static_argnames="n")
bound = functools.partial(step, n=[1])
unhashable = {"n": [1]}
table = {"steps": [step]}


@dataclasses.dataclass(frozen=True)
class Sized:
    sizes: Any


def passed_on(*args: Any, **kwargs: Any) -> Any:
    return step(*args, **kwargs)


base, machine = Base(), Machine()
sizes = [1, 2]
options = {"base": base}


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (
            lambda: step(1.0, [1, 2]),
            'static_step(): argument "n": list is mutable; use tuple instead  [static-mutable]',
        ),
        (
            lambda: plain(1.0, sizes),
            'static_step(): argument "n": list is mutable; use tuple instead  [static-mutable]',
        ),
        (
            lambda: step(1.0, 1, other=base),
            'static_step(): argument "other": Base is not frozen; declare it @dataclass(frozen=True)  [static-mutable]',
        ),
        (
            lambda: step(1.0, jnp.ones(3)),
            'static_step(): argument "n": Array is an array, which cannot be hashed; '
            "pass it as a dynamic argument, or store a tuple of numbers  [static-dynamic]",
        ),
        (
            lambda: step(1.0, options["base"]),
            'static_step(): argument "n": Base is not frozen; declare it @dataclass(frozen=True)  [static-mutable]',
        ),
        (
            lambda: step(1.0, options.get("base")),
            'static_step(): argument "n": Base is not hashable: JAX could not hash it; '
            "define __eq__ and __hash__ by value, or make it a frozen dataclass that defines neither  [static-hash]",
        ),
        (
            lambda: machine.run(1.0),
            'Machine.run(): argument "self": Machine is not hashable: its __hash__ is None; '
            "define __eq__ and __hash__ by value, or make it a frozen dataclass that defines neither  [static-hash]",
        ),
        (
            lambda: step(1.0, (1, [2])),
            'static_step(): argument "n": value[1]: list is mutable; use tuple instead  [static-mutable]',
        ),
        (
            lambda: step(1.0, Sized([1, 2])),
            'static_step(): argument "n": the list in Sized is mutable; use tuple instead  [static-mutable]',
        ),
        (
            lambda: step(1.0, (1, sorted(sizes))),
            'static_step(): argument "n": the list in tuple is mutable; use tuple instead  [static-mutable]',
        ),
        (
            lambda: passed_on(1.0, other=[1]),
            'static_step(): argument "other": list is mutable; use tuple instead  [static-mutable]',
        ),
        (lambda: bound(1.0), 'static_step(): argument "n": list is mutable; use tuple instead  [static-mutable]'),
        (
            lambda: table["steps"][0](1.0, sizes),
            'static_step(): argument "n": list is mutable; use tuple instead  [static-mutable]',
        ),
        (lambda: step(1.0, *[[1]]), None),
        (lambda: step(1.0, **dict(unhashable)), None),
    ],
    ids=lambda value: "",
)
def test_an_argument_without_a_hash_is_named(call: Callable[[], Any], line: str | None) -> None:
    """JAX raises by itself, before the guard can see the call; the guard adds a line."""
    with pytest.raises(ValueError) as caught, guard():
        call()
    notes = getattr(caught.value, "__notes__", [])
    assert notes == ([] if line is None else [line])
    assert line is None or traceback.format_exception(caught.value)[-1].strip() == line
    assert not isinstance(caught.value, StaticContractError)
