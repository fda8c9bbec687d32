"""A pickle of an earlier version of a class becomes an object of the current one, or an error that says why not."""

from __future__ import annotations

import gc
import pickle
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtyped_static import StaticContractError

MODULE = "of_some_version"
HEAD = """
from dataclasses import InitVar, dataclass
from typing import Any
from jaxtyped_static import Static, dynamic_dataclass, field, static_dataclass
"""
STATIC = "@static_dataclass\nclass C:\n"
DYNAMIC = "@dynamic_dataclass\nclass C:\n"
FROZEN = "@dataclass(frozen=True)\nclass C:\n"
FROZEN_SLOTS = "@dataclass(frozen=True, slots=True)\nclass C:\n"


@pytest.fixture(autouse=True)
def _no_module_is_left() -> Iterator[None]:
    yield
    sys.modules.pop(MODULE, None)


def load(source: str) -> Any:
    """Returns the class, as one version of its module defines it."""
    module = types.ModuleType(MODULE)
    sys.modules[MODULE] = module
    exec(HEAD + textwrap.dedent(source), vars(module))
    return module.C


def pickled(source: str, make: Callable[[Any], Any] = lambda cls: cls(3)) -> bytes:
    """Returns a pickle by an earlier version of the class, which no longer exists then."""
    data = pickle.dumps(make(load(source)))
    gc.collect()
    return data


AREA = """
    n: int
    area: int = field(init=False)
    def __post_init__(self):
        object.__setattr__(self, 'area', self.n * {})
"""


def test_computed_fields_of_an_old_pickle_are_computed_again() -> None:
    data = pickled(STATIC + AREA.format(2))
    cls = load(STATIC + AREA.format(100))
    kept = pickle.loads(data)
    assert cls(3).area == kept.area == 300 and cls(3) is kept
    program = jax.jit(lambda x, value: x * value.area, static_argnums=1)
    assert program(jnp.float32(1), kept) == program(jnp.float32(1), cls(3)) == 300


def test_a_check_added_later_runs_when_an_old_pickle_is_loaded() -> None:
    data = pickled(f"{STATIC}    n: int")
    load(f"{STATIC}    n: int\n    def __post_init__(self):\n        if self.n > 2: raise ValueError('too large')")
    with pytest.raises(ValueError, match="too large"):
        pickle.loads(data)


OTHER_FIELDS: list[tuple[str, str, str]] = [
    ("n: int\n    m: int = 2", "n: int", "the pickle has 'm', which is not a field of the class"),
    ("n: int", "n: int\n    m: int", "the class has the field 'm', which the pickle lacks"),
    (
        "n: int",
        "k: int",
        "has 'n', which is not a field of the class, and the class has the field 'k', which the pickle",
    ),
]


@pytest.mark.parametrize("kind", [STATIC, DYNAMIC])
@pytest.mark.parametrize(("before", "now", "says"), OTHER_FIELDS)
def test_other_fields_in_a_pickle_are_named(before: str, now: str, says: str, kind: str) -> None:
    data = pickled(f"{kind}    {before}")
    load(f"{kind}    {now}")
    with pytest.raises(TypeError, match=f"C was pickled by another version of the class: .*{says}"):
        pickle.loads(data)


def test_a_field_with_a_default_may_be_added() -> None:
    data = pickled(f"{STATIC}    n: int")
    cls = load(f"{STATIC}    n: int\n    m: tuple[int, ...] = field(default_factory=lambda: (1, 2))")
    assert pickle.loads(data) is cls(3, (1, 2))
    data = pickled(f"{DYNAMIC}    n: int\n    k: Static[int] = 1")
    cls = load(
        f"{DYNAMIC}    m: list = field(default_factory=list)\n    n: int = 0\n    k: Static[int] = 1\n    l: int = 4"
    )
    assert vars(pickle.loads(data)) == {"m": [], "n": 3, "k": 1, "l": 4}


KINDS: list[tuple[str, str, str]] = [
    (STATIC, FROZEN, "was a static class when it was pickled, and is a plain class now"),
    (STATIC, DYNAMIC, "was a static class when it was pickled, and is a dynamic class now"),
    (DYNAMIC, FROZEN, "was a dynamic class when it was pickled, and is a plain class now"),
    (DYNAMIC, STATIC, "was a dynamic class when it was pickled, and is a static class now"),
]


@pytest.mark.parametrize(("before", "now", "says"), KINDS)
def test_a_pickle_of_another_kind_of_class_is_refused(before: str, now: str, says: str) -> None:
    data = pickled(f"{before}    n: int")
    load(f"{now}    n: int")
    with pytest.raises(TypeError, match=f"C {says}"):
        pickle.loads(data)


@pytest.mark.parametrize("before", [FROZEN, FROZEN_SLOTS])
def test_a_class_that_became_static_loads_its_old_pickles(before: str) -> None:
    data = pickled(f"{before}    n: Any\n    m: int = 2")
    cls = load(f"{STATIC}    n: Any\n    m: int = 2")
    loaded = pickle.loads(data)
    assert loaded == cls(3) != cls(4) and hash(loaded) == hash(cls(3))

    data = pickled(f"{before}    n: Any = 1")
    cls = load(f"{STATIC}    n: Any = 1")
    kept = cls()
    with pytest.raises(TypeError, match=r"this would overwrite C\(\), which others have, .* with pickle\._loads"):
        pickle.loads(data)
    read: Any = pickle._loads  # type: ignore[attr-defined]
    assert read(data) == cls(3)
    assert kept is cls() and kept.n == 1
    load(f"{STATIC}    k: Any\n    m: int = 2")
    with pytest.raises(TypeError, match=r"the pickle has 'n', which is not a field|has 1 fields, and the class has 2"):
        read(data)


@pytest.mark.parametrize("before", [FROZEN, FROZEN_SLOTS])
def test_a_class_that_became_dynamic_loads_its_old_pickles(before: str) -> None:
    data = pickled(f"{before}    n: Any\n    power: Any = 2")
    cls = load(f"{DYNAMIC}    n: Any\n    power: Static[Any] = 2")
    loaded = pickle.loads(data)
    assert jax.tree.leaves(loaded) == [3] and jax.jit(lambda state: state.n**state.power)(loaded) == 9
    data = pickled(f"{before}    n: Any\n    power: Any = 2", lambda cls: cls(3, [2]))
    load(f"{DYNAMIC}    n: Any\n    power: Static[Any] = 2")
    with pytest.raises(StaticContractError, match=r"C\.power: list is mutable"):
        pickle.loads(data)
    load(f"{DYNAMIC}    k: Any")
    with pytest.raises(TypeError, match=r"the pickle has 'n', which is not a field|has 2 fields, and the class has 1"):
        pickle.loads(data)
    assert cls(3).power == 2


def test_a_changed_constructor_signature_is_named() -> None:
    source = "    n: int\n    def __init__(self, {0}): object.__setattr__(self, 'n', int({0}))"
    data = pickled(STATIC + source.format("text"), lambda cls: cls("3"))
    load(STATIC + source.format("words"))
    with pytest.raises(TypeError, match=r"C was pickled by another version of the class: its constructor .*'words'"):
        pickle.loads(data)


# The constructor takes more than the fields, or something else.
CONSTRUCTED: list[tuple[str, Callable[[Any], Any]]] = [
    (
        """
    n: int
    scale: InitVar[int] = 2
    scaled: int = field(init=False)
    version: int = field(init=False)
    def __post_init__(self, scale):
        object.__setattr__(self, 'scaled', self.n * scale)
        object.__setattr__(self, 'version', {version})
""",
        lambda cls: cls(3, 5),
    ),
    (
        """
    n: int
    version: int = field(init=False)
    def __init__(self, text):
        object.__setattr__(self, 'n', int(text))
        object.__setattr__(self, 'version', {version})
""",
        lambda cls: cls("3"),
    ),
]


@pytest.mark.parametrize(("source", "make"), CONSTRUCTED)
def test_a_constructor_with_other_parameters_gets_its_arguments_again(source: str, make: Callable[[Any], Any]) -> None:
    data = pickled(STATIC + source.format(version=1), make)
    cls = load(STATIC + source.format(version=2))
    loaded = pickle.loads(data)
    assert loaded is make(cls) and loaded.version == 2


def test_a_post_init_that_sets_another_value_the_second_time() -> None:
    source = f"{STATIC}    n: int\n    def __post_init__(self): object.__setattr__(self, 'n', 2 * self.n)"
    data = pickled(source)
    cls = load(source)
    assert pickle.loads(data) is cls(3) and cls(3).n == 6
    load(f"{STATIC}    k: int")
    with pytest.raises(TypeError, match="the pickle has 'n'"):
        pickle.loads(data)
