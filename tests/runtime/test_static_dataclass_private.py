"""Objects of a static class that bypass the constructor are equal by value, and never shared."""

from __future__ import annotations

import copy
import copyreg
import pickle
from collections import defaultdict
from collections.abc import Callable
from dataclasses import InitVar
from functools import cached_property, partial
from typing import Any

import attrs
import jax
import jax.numpy as jnp
import pydantic
import pytest
import yaml  # type: ignore[import-untyped]

from jaxtyped_static import Static, StaticContractError, check_static, field, guard, jit, static_dataclass
from tests.runtime.guarded_values import refusal
from tests.runtime.static_values import Box

msgspec: Any = pytest.importorskip("msgspec")
cattrs: Any = pytest.importorskip("cattrs")


@static_dataclass
class Power:
    """All fields have defaults, so its `__new__` needs no arguments."""

    power: float = 1
    name: str = "default"

    def with_power(self, power: float) -> Power:
        """As in frozen dataclasses."""
        changed = copy.copy(self)
        object.__setattr__(changed, "power", power)
        return changed

    @classmethod
    def parse(cls, text: str) -> Power:
        made = cls.__new__(cls)
        object.__setattr__(made, "power", float(text))
        object.__setattr__(made, "name", text)
        return made


@static_dataclass(slots=True)
class Slotted:
    power: float = 1
    name: str = "default"


@static_dataclass
class Required:
    power: float
    name: str = "default"


@static_dataclass
class Computed:
    power: float = 1
    name: str = "default"

    def __post_init__(self) -> None:
        if self.power < 0:
            raise ValueError("a negative power")

    @cached_property
    def doubled(self) -> float:
        return 2 * self.power


@static_dataclass(kw_only=True)
class ByKeyword:
    power: float = 1
    name: str = "default"


class Undecorated(Power):
    """Only overrides methods."""


CLASSES: list[Any] = [Power, Slotted, Required, Computed, ByKeyword, Undecorated]


@attrs.frozen
class Settings:
    value: Power


def filled(made: Any, power: float = 3.0, name: str = "made") -> Any:
    object.__setattr__(made, "power", power)
    object.__setattr__(made, "name", name)
    return made


def through_yaml(cls: Any) -> Any:
    tag = f"!!python/object:{cls.__module__}.{cls.__qualname__}"
    return yaml.unsafe_load(f"{tag} {{power: 3.0, name: made}}")


def unpickled(cls: Any) -> Any:
    """Unpickles an object that `copyreg` pickled before the class was static."""
    return copyreg._reconstructor(cls, object, None)  # type: ignore[attr-defined]


FIELDS = {"power": 3.0, "name": "made"}
MAKERS: dict[str, Callable[[Any], Any]] = {
    "object.__new__": lambda cls: filled(object.__new__(cls)),
    "cls.__new__": lambda cls: filled(cls.__new__(cls)),
    "copyreg.__newobj__": lambda cls: filled(copyreg.__newobj__(cls)),  # type: ignore[attr-defined]
    "copyreg._reconstructor": lambda cls: filled(unpickled(cls)),
    "copy.copy": lambda cls: filled(copy.copy(cls(power=0))),
    "copy of a copy": lambda cls: filled(copy.copy(copy.copy(cls(power=0)))),
    "deep copy of a copy": lambda cls: filled(copy.deepcopy(copy.copy(cls(power=0)))),
    "pydantic": lambda cls: pydantic.TypeAdapter(cls).validate_python(FIELDS),
    "pydantic, JSON": lambda cls: pydantic.TypeAdapter(cls).validate_json('{"power": 3.0, "name": "made"}'),
    "msgspec": lambda cls: msgspec.convert(FIELDS, cls),
    "msgspec, JSON": lambda cls: msgspec.json.decode(b'{"power": 3.0, "name": "made"}', type=cls),
    "cattrs": lambda cls: cattrs.structure(FIELDS, cls),
    "yaml": through_yaml,
}


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_objects_built_by_libraries_equal_by_value_and_leave_others_alone(make: Callable[[Any], Any], cls: Any) -> None:
    first = {"power": 1} if cls is Required else {}
    default = cls(**first)
    made, again, one = make(cls), make(cls), cls(power=3.0, name="made")
    assert type(made) is cls and (made.power, made.name) == (3.0, "made")
    assert made == again == one != default
    assert hash(made) == hash(again) == hash(one)
    assert len({made, again, one, default}) == 2
    assert (default.power, default.name) == (1, "default") and cls(**first) is default
    check_static(made)

    program: Any = jax.jit(lambda x, value: x**value.power, static_argnums=1)
    x = jnp.int32(100_000)
    assert program(x, filled(copy.copy(default), 2)) == program(x, cls(power=2, name="made")) == 1410065408
    assert program(x, filled(copy.copy(default), 2.0)) == program(x, cls(power=2.0, name="made")) == 1e10
    assert program(x, made) == program(x, one) == 1e15
    assert program._cache_size() == 3


@pytest.mark.parametrize("cls", CLASSES)
def test_the_shared_object_takes_a_private_objects_place(cls: Any) -> None:
    one, made = cls(power=3.0), filled(object.__new__(cls), name="default")
    assert Box(made) is Box(one) and Box(made).item is one
    assert Box((made,)) is Box((one,))
    assert pickle.loads(pickle.dumps(made)) is one
    del one
    assert type(Box(made).item) is cls and Box(made).item is cls(power=3.0)
    assert filled(made, 4.0) != Box(cls(power=3.0)).item
    assert Box(made).item == cls(power=4.0, name="made")


def test_an_interned_object_has_its_computed_attributes_however_it_was_made() -> None:
    made = filled(object.__new__(Computed), 5.0)
    assert Box(made).item.doubled == 10.0
    one: Any = Computed(5.0, "made")
    assert one.doubled == 10.0
    with pytest.raises(ValueError, match="a negative power"):
        Box(filled(object.__new__(Computed), -1.0))
    with pytest.raises(pydantic.ValidationError, match="a negative power"):
        pydantic.TypeAdapter(Computed).validate_python({"power": -1.0})


def test_pydantic_and_cattrs_return_the_shared_object() -> None:
    class Model(pydantic.BaseModel):
        value: Power = Power()
        other: Slotted | None = None

    model = Model.model_validate({"value": {"power": 7.0}, "other": {"power": 8.0}})
    assert model.value is Power(7.0) and model.other is Slotted(8.0)
    assert model.model_dump() == {
        "value": {"power": 7.0, "name": "default"},
        "other": {"power": 8.0, "name": "default"},
    }
    assert Model.model_validate_json(model.model_dump_json()) == model
    assert Model(value=Power(7.0)).value is Power(7.0) and Model().value is Power()
    assert pydantic.TypeAdapter(Power).json_schema()["properties"].keys() == {"power", "name"}
    assert cattrs.structure({"value": {"power": 7.0}}, Settings).value is Power(7.0)


def test_yaml_round_trips() -> None:
    text = yaml.dump({"one": Power(2.0), "other": (Slotted(), Computed(4.0))})
    assert yaml.unsafe_load(text) == {"one": Power(2.0), "other": (Slotted(), Computed(4.0))}


def test_a_method_that_sets_a_field_of_a_copy() -> None:
    @jit
    def program(x: jax.Array, value: Static[Power]) -> jax.Array:
        return x**value.power

    one, x = Power(2), jnp.int32(100_000)
    assert program(x, one) == 1410065408
    two = one.with_power(2.0)
    assert (one.power, type(one.power)) == (2, int) and Power(2) is one
    assert program(x, two) == 1e10 and program(x, one) == program(x, Power(2)) == 1410065408
    assert two == Power(2.0) != one and two.with_power(2) == one
    assert Power.parse("2.0") == Power(2.0, "2.0") and Power() == Power(1, "default")


def test_calling_the_class_returns_the_shared_object_whoever_calls() -> None:
    """Even calls that look like calls of `__new__` to it, because they pass no arguments."""
    default = Power()
    by_default: defaultdict[str, Power] = defaultdict(Power)

    def beside_a_raw_one(cls: Any) -> Any:
        of: Any = type(cls())
        return cls(), cls.__new__(cls), cls(), of.__new__(of)

    first, raw, second, other = beside_a_raw_one(Power)
    assert default is first is second is by_default["a"] is partial(Power)() is Power(*())
    assert len({id(each) for each in (default, raw, other)}) == 3
    assert next(iter(Power, None)) is default
    with pytest.raises(TypeError, match=r"Required\.__init__\(\) missing 1 required positional argument: 'power'"):
        Required()  # type: ignore[call-arg]


def test_a_raw_object_may_be_initialised() -> None:
    for cls in CLASSES:
        made = object.__new__(cls)
        made.__init__(power=9.0)
        assert made == cls(power=9.0) != cls(power=8.0)
        cls(power=9.0).__init__(power=8.0)
        assert cls(power=9.0).power == 9.0


def test_incomplete_or_invalid_objects_equal_nothing_else() -> None:
    empty, mutable = object.__new__(Required), filled(object.__new__(Power), [1])  # type: ignore[arg-type]
    for made in (empty, mutable):
        assert made not in (Required(1), Power(), copy.copy(made))
    refusals: list[Callable[[], object]] = [
        lambda: Box(mutable),
        lambda: check_static(mutable),
        lambda: hash(mutable),
    ]
    for call in refusals:
        with pytest.raises(StaticContractError, match=r"Power\.power: list is mutable"):
            call()
    with pytest.raises(TypeError, match=r"Required\.power was not set"):
        check_static(object.__new__(Required))


def test_an_init_with_other_parameters() -> None:
    @static_dataclass
    class Parsed:
        power: float

        def __init__(self, text: str) -> None:
            object.__setattr__(self, "power", float(text))

    @static_dataclass
    class Scaled:
        power: float
        scale: InitVar[float] = 2.0
        scaled: float = field(init=False)

        def __post_init__(self, scale: float) -> None:
            object.__setattr__(self, "scaled", self.power * scale)

    parsed = object.__new__(Parsed)
    object.__setattr__(parsed, "power", 2.5)
    assert parsed == Parsed("2.5") and Box(parsed) is Box(Parsed("2.5"))
    scaled = copy.copy(Scaled(2.0, 5.0))
    assert scaled == Scaled(2.0, 5.0) != Scaled(2.0) and Box(scaled) is Box(Scaled(2.0, 5.0))


# By force


def tamper(value: Any) -> Callable[[], None]:
    """Sets a field of a shared object; the result undoes that."""
    before = value.power
    object.__setattr__(value, "power", 7.0)
    return lambda: object.__setattr__(value, "power", before)


def test_a_field_set_by_force_is_found() -> None:
    @jit
    def program(x: Any, value: Static[Any]) -> Any:
        return x

    value = Power(2)
    holders = {
        "Power": value,
        "Box.item": Box(value),
        "value[1][0].item": (1, (Box(value),)),
        "Settings.value": Settings(value),
    }
    undo = tamper(value)
    for path, holder in holders.items():
        with pytest.raises(StaticContractError) as caught:
            check_static(holder)
        error = caught.value
        assert (error.code, error.path) == ("static-mutable", f"{path}.power")
        assert error.reason == "2 → 7.0: changed since the object was made"
        assert "dataclasses.replace" in error.advice
        with guard():
            error = refusal(lambda: program(1.0, holder))  # noqa: B023
        assert (error.path.endswith(".power"), error.parameter) == (True, "value")
    undo()
    for holder in holders.values():
        check_static(holder)


AT_MODULE_LEVEL = [Box(((lambda: 1), float("nan"), -0.0))]


def test_a_value_accepted_while_its_module_ran_counts_as_unchanged() -> None:
    check_static(AT_MODULE_LEVEL[0])
