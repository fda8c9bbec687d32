"""The environment variable guards a whole process; random programs show that a guard misses and invents nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxtyped_static import Static, StaticContractError, guard, jit
from tests.processes import run_python

PROGRAM = """
import jax
from jaxtyped_static import Static, StaticContractError, jit

class Solver:
    dt = 1.0

def plain(x, solver):
    return x * solver.dt

class Kept(Solver):
    def __init__(self):
        self._dt = 1.0
    dt = property(lambda self: self._dt)
    def __eq__(self, other):
        return type(other) is Kept
    def __hash__(self):
        return 1

def count(step, solver):
    try:
        step(1.0, solver)
        solver._dt = 2.0
        step(1.0, solver)
    except StaticContractError as error:
        return error.code
    return "taken"

for compiled in (jit, jax.jit):
    print(count(compiled(plain, static_argnames="solver"), Kept()))
"""


UNHASHABLE = """
import functools
import jax
import jaxtyped_static

@functools.partial(jax.jit, static_argnames="sizes")
def step(x, sizes):
    return x

step(1.0, [1, 2])
"""


@pytest.mark.parametrize("setting", ["guard", None])
def test_an_argument_without_a_hash_is_named_where_python_shows_the_error(setting: str | None, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(UNHASHABLE)
    environment = {name: value for name, value in os.environ.items() if name != "JAXTYPED_STATIC"}
    environment |= {"JAXTYPED_STATIC": setting} if setting is not None else {}
    said = subprocess.run([sys.executable, str(program)], env=environment, capture_output=True, text=True, check=False)
    line = 'step(): argument "sizes": list is mutable; use tuple instead  [static-mutable]'
    assert said.stderr.count(line) == (setting is not None) and said.returncode == 1
    assert "Non-hashable static arguments" in said.stderr


def outcome(setting: str | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "JAXTYPED_STATIC"}
    if setting is not None:
        environment["JAXTYPED_STATIC"] = setting
    return run_python(PROGRAM, env=environment)


@pytest.mark.parametrize(
    ("setting", "ours", "plain"),
    [
        pytest.param(None, "taken", "taken", marks=pytest.mark.thorough),
        pytest.param("", "taken", "taken", marks=pytest.mark.thorough),
        ("guard", "static-mutable", "static-mutable"),
        pytest.param("guard-all", "static-mutable", "static-mutable", marks=pytest.mark.thorough),
        pytest.param("guard-ours", "static-mutable", "taken", marks=pytest.mark.thorough),
    ],
)
def test_the_environment_guards_the_process(setting: str | None, ours: str, plain: str) -> None:
    result = outcome(setting)
    assert result.stdout.split() == [ours, plain], result.stderr


def test_an_unknown_setting_is_refused_with_the_valid_ones() -> None:
    error = outcome("gaurd").stderr.strip().splitlines()[-1]
    assert error == (
        'ValueError: JAXTYPED_STATIC is "gaurd" in the environment; '
        'set it to "guard", "guard-ours", "guard-all" or "record", or unset it'
    )


@dataclass(frozen=True)
class Frozen:
    power: Any
    inner: Any = None


class ByHand:
    """Compares by value, and is frozen by convention only."""

    def __init__(self, power: Any, inner: Any = None) -> None:
        self._power, self._inner = power, inner

    power = property(lambda self: self._power)
    inner = property(lambda self: self._inner)

    def __eq__(self, other: object) -> bool:
        return type(other) is ByHand and (self._power, self._inner) == (other._power, other._inner)

    def __hash__(self) -> int:
        return hash((self._power, self._inner))


def expected(x: Any, value: Any) -> Any:
    number = x * value.power
    return number if value.inner is None else expected(number, value.inner)


NUMBERS = st.sampled_from([1, 2, 3, 1.0, 2.0, 0.0, -0.0, True])
LEAVES = st.builds(lambda cls, power: cls(power), st.sampled_from([Frozen, ByHand]), NUMBERS)
VALUES = st.lists(
    st.one_of(
        LEAVES,
        st.builds(lambda cls, power, inner: cls(power, inner), st.sampled_from([Frozen, ByHand]), NUMBERS, LEAVES),
    ),
    min_size=1,
    max_size=4,
)
INDEXES = st.integers(0, 3)
# Each step uses a value, or sets one of its numbers to another.
STEPS = st.lists(st.tuples(INDEXES, st.one_of(st.none(), st.tuples(st.booleans(), NUMBERS))), min_size=1, max_size=12)


def change(value: Any, is_inner: bool, number: Any) -> None:
    target = value.inner if is_inner and value.inner is not None else value
    object.__setattr__(target, "_power" if isinstance(target, ByHand) else "power", number)


def same(one: Any, other: Any) -> bool:
    """Returns whether the class and the value are the same, including signs of zeros."""
    one, other = jnp.asarray(one), jnp.asarray(other)
    return one.dtype == other.dtype and one.weak_type == other.weak_type and str(one) == str(other)


@settings(max_examples=25)
@given(VALUES, STEPS)
def test_a_guarded_call_gives_the_current_values_number_or_an_error(values: list[Any], steps: Any) -> None:
    """Without changes and equal values, every call gives the right number."""

    @jit
    def program(x: Any, value: Static[Any]) -> Any:
        return expected(x, value)

    is_changed = any(setting is not None for _, setting in steps)
    may_refuse = is_changed or any(
        one == other and repr_of(one) != repr_of(other) for one in values for other in values
    )
    with guard():
        for index, setting in steps:
            value = values[index % len(values)]
            if setting is not None:
                change(value, *setting)
                continue
            try:
                number = program(jnp.int32(3), value)
            except StaticContractError:
                assert may_refuse
            else:
                assert same(number, expected(jnp.int32(3), value))


def repr_of(value: Any) -> str:
    return f"{type(value).__name__}({value.power!r}, {value.inner and repr_of(value.inner)})"
