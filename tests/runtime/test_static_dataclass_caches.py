"""Caches of static classes are filled later, and are no part of the value."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import InitVar
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from jaxtyped_static import check_static, static_dataclass
from jaxtyped_static.testing import check_static_type
from tests.runtime.computed_attributes import refused
from tests.runtime.static_values import Box


@static_dataclass
class Cached:
    n: int
    offset: InitVar[int] = 0
    _memo: ClassVar[int | None] = None

    def __post_init__(self, offset: int) -> None:
        if offset:
            self.__dict__["squares"] = (offset,)
        assert self.doubled == 2 * self.n

    @cached_property
    def doubled(self) -> int:
        return 2 * self.n

    @cached_property
    def squares(self) -> tuple[int, ...]:
        return tuple(k**2 for k in range(self.n))

    @lru_cache  # noqa: B019
    def cubed(self) -> int:
        return self.n**3

    def tripled(self) -> int:
        if self._memo is None:
            object.__setattr__(self, "_memo", 3 * self.n)
        return 3 * self.n

    def halved(self) -> float:
        if "half" not in self.__dict__:
            object.__setattr__(self, "half", self.n / 2)
        return float(self.__dict__["half"])

    @classmethod
    def hidden(cls, n: int, value: int) -> Cached:
        made = cls.__new__(cls)
        object.__setattr__(made, "n", n)
        object.__setattr__(made, "_hidden", value)
        return made


def test_caches_are_filled_later() -> None:
    value = Cached(3)
    assert (value.doubled, value.squares, value.cubed(), value.tripled(), value.halved()) == (6, (0, 1, 4), 27, 9, 1.5)
    assert Cached(3) is value
    for holder in (value, Box(value), (1, (value,)), copy.copy(value)):
        check_static(holder)
    private = copy.copy(value)
    assert private.__dict__ == {"n": 3}
    assert private.tripled() == 9 and private.halved() == 1.5 and private.doubled == 6
    check_static(private)
    assert Box(private).item is value and hash(private) == hash(value)
    assert pickle.loads(pickle.dumps(value)) is value
    check_static_type(Cached, [value, Cached(4), private])


def test_a_cache_filled_while_an_object_is_made_is_computed_again_from_its_fields() -> None:
    value = Cached(2, 5)
    assert value.__dict__ == {"n": 2}
    assert value.squares == (0, 1) and Cached(2) is value


class Reify:
    """Replaces itself by what it computes, as in Pyramid."""

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self.compute = compute

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        return instance.__dict__.setdefault(self.compute.__name__, self.compute(instance))


def memoised(method: Callable[[Any], Any]) -> Callable[[Any], Any]:
    name = f"memo_{method.__name__}"

    def look_up(self: Any) -> Any:
        if not hasattr(self, name):
            object.__setattr__(self, name, method(self))
        return getattr(self, name)

    return look_up


@static_dataclass
class CachedByOthers:
    n: int

    def __post_init__(self) -> None:
        assert self.doubled == 2 * self.n

    doubled = Reify(lambda self: 2 * self.n)
    doubled.compute.__name__ = "doubled"
    tripled = memoised(lambda self: 3 * self.n)


def test_caches_of_decorators_of_other_libraries_are_filled_later() -> None:
    value = CachedByOthers(3)
    assert value.__dict__ == {"n": 3}
    for each in (value, copy.copy(value)):
        assert (each.doubled, each.tripled()) == (6, 9) and len(each.__dict__) == 3
        check_static((each,))
        assert hash(each) == hash(value) and Box(each).item is value


def test_what_is_set_past_the_constructor_is_no_cache() -> None:
    refused(lambda: check_static((Cached.hidden(3, 1),)), r"Cached\._hidden")
    refused(lambda: hash(Cached.hidden(3, 1)), r"Cached\._hidden")
