"""However an object is made, it is the shared object of its value: by position, name, default or pickle."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import InitVar, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxtyped_static import StaticContractError, field, static_dataclass
from tests.runtime.static_values import Word
from tests.runtime.test_static_dataclass_identity import VALUES, exact


@static_dataclass
class Awkward:
    """Has fields with names that a constructor itself might use."""

    cls: float
    self: int
    type: float = 0.0
    args: Any = ()
    _: dataclasses.KW_ONLY
    float: Any = None
    kwargs: tuple[int, ...] = field(default_factory=lambda: (1,))
    key: float = -0.0


@static_dataclass(slots=True, kw_only=True)
class Slotted:
    cls: float
    self: int
    type: float = 0.0
    args: Any = ()
    float: Any = None
    kwargs: tuple[int, ...] = field(default_factory=lambda: (1,))
    key: float = -0.0


@static_dataclass
class Prepared:
    """Runs its own code, so nothing is known before."""

    cls: float
    self: int
    type: float = 0.0
    args: Any = ()
    float: Any = None
    kwargs: tuple[int, ...] = (1,)
    key: float = -0.0
    unused: InitVar[int] = 0

    def __post_init__(self, unused: int) -> None: ...


NAMES = [each.name for each in dataclasses.fields(Awkward)]
OPTIONAL = st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES[2:], VALUES))


@settings(max_examples=200)
@given(st.tuples(VALUES, VALUES), OPTIONAL, st.integers(0, 4))
def test_every_way_of_making_a_value_gives_the_same_object(
    required: tuple[Any, Any], options: dict[str, Any], positional: int
) -> None:
    given_values = dict(zip(NAMES, required, strict=False)) | options
    for cls in (Awkward, Slotted, Prepared):
        made: Any = cls
        value = made(**given_values)
        everything = {name: getattr(value, name) for name in NAMES}
        assert {name: exact(everything[name]) for name in given_values} == {
            name: exact(item) for name, item in given_values.items()
        }
        assert value is made(**given_values) is made(**everything) is made(**dict(reversed(everything.items())))
        assert value is replace(value) is pickle.loads(pickle.dumps(value))
        if cls is not Slotted:
            by_position = [everything.pop(name) for name in NAMES[:positional]]
            assert value is made(*by_position, **everything)


@settings(max_examples=200)
@given(VALUES, VALUES)
def test_a_fields_annotation_makes_no_difference(one: Any, other: Any) -> None:
    assert (Awkward(one, 1) is Awkward(other, 1)) == (exact(one) == exact(other))
    assert Awkward(one, 1) is pickle.loads(pickle.dumps(Awkward(one, 1)))


def test_a_call_that_does_not_fit_says_what_a_dataclass_says() -> None:
    made: Any = Awkward
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: made(), "missing 2 required positional arguments: 'cls' and 'self'"),
        (lambda: made(self=1), "missing 1 required positional argument: 'cls'"),
        (lambda: made(1.0, 2, 3.0, 4, 5), "takes from 3 to 5 positional arguments but 6 "),
        (lambda: made(1.0, 2, cls=1.0), "got multiple values for argument 'cls'"),
        (lambda: made(1.0, 2, other=1), "got an unexpected keyword argument 'other'"),
        (lambda: made(1.0, self=2, other=1), "got an unexpected keyword argument 'other'"),
    ]
    for _ in range(2):
        for call, message in calls:
            with pytest.raises(TypeError, match=message):
                call()
        Awkward(1.0, 2)
    assert str(inspect.signature(Awkward)).startswith(
        "(cls: 'float', self: 'int', type: 'float' = 0.0, args: 'Any' = ()"
    )


def test_a_subclass_with_other_parameters_must_be_decorated() -> None:
    class Other(Awkward):
        def __init__(self, text: str, *more: int, option: bool = False) -> None: ...

    for args, options in ((("a",), {}), (("a", 1, 2, 3, 4, 5), {}), (("a",), {"option": True})):
        with pytest.raises(TypeError, match=r"Other adds __init__ to the static class Awkward; decorate it"):
            Other(*args, **options)  # type: ignore[arg-type]


def test_a_value_is_verified_each_time() -> None:
    for _ in range(3):
        with pytest.raises(StaticContractError, match=r"Awkward\.cls: list is mutable"):
            Awkward([], 1)  # type: ignore[arg-type]
        with pytest.raises(StaticContractError, match=r"Awkward\.args\[0\]: list is mutable"):
            Awkward(1.0, 1, args=([],))  # type: ignore[static-mutable]
        assert Awkward(1.0, 1, args=((),)).args == ((),)


class Absolute:
    """Stores something other than what it is given."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = f"_{name}"

    def __get__(self, instance: Any, owner: type) -> int:
        return 0 if instance is None else int(getattr(instance, self.name))

    def __set__(self, instance: Any, value: int) -> None:
        object.__setattr__(instance, self.name, abs(value))


def test_the_result_of_a_descriptor_counts() -> None:
    @static_dataclass
    class Distance:
        length: Any = Absolute()  # type: ignore[static-mutable]

    made: Any = Distance
    for _ in range(2):
        assert made(-1) is made(1) is made(length=1) is not made(2)
        assert made(-1).length == 1


def test_attributes_may_be_looked_up_by_code_of_the_class() -> None:
    @static_dataclass
    class Watched:
        n: int
        word: str = "a"

        def __getattribute__(self, name: str) -> Any:
            if name == "__dict__":
                raise AttributeError(name)
            return object.__getattribute__(self, name)

    assert Watched(1) is Watched(1, "a") is not Watched(1, Word("a"))


def test_no_fields() -> None:
    @static_dataclass
    class Empty:
        pass

    made: Any = Empty
    assert Empty() is Empty()
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        made(1)
