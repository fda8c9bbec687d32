"""Supports the habits of dataclass users where possible, and otherwise says what to write instead."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, Final, NoReturn

from jaxtyped_static._annotations.functions import annotations_of
from jaxtyped_static._annotations.rendering import is_qualified_by, render
from jaxtyped_static._keys.value_keys import key_of
from jaxtyped_static._refusals.refused import Refused, class_name

_DISPLAYED: Final = frozenset({list, dict, set})


def check_frozen_option(frozen: bool, decorator: str) -> None:
    """Refuses `frozen=False`.

    Raises:
        TypeError: saying what to do instead.
    """
    if not frozen:
        raise TypeError(
            f"{decorator} makes only frozen classes; drop `frozen=False`, and make changed objects with "
            f"dataclasses.replace"
        )


def check_bases(cls: type, decorator: str) -> None:
    """Refuses a NamedTuple, a class or base whose fields another library makes, and a base that can change.

    Raises:
        TypeError: saying what to write instead.
    """
    name = class_name(cls)
    if "_fields" in cls.__dict__ and issubclass(cls, tuple):
        raise TypeError(f"{name} is a NamedTuple; write `class {name}:` without that base, below {decorator}")
    if "__attrs_attrs__" in cls.__dict__:
        raise TypeError(f"{name} is already a class of attrs; drop attrs' decorator, and keep {decorator}")
    for base in cls.__mro__[1:]:
        if (library := _library_of_fields(base)) is not None:
            raise TypeError(
                f"{name} inherits fields from {class_name(base)}, a class of {library}, and {decorator} would not set "
                f"them; hold a {class_name(base)} in a field instead"
            )
        parameters = base.__dict__.get("__dataclass_params__")
        if parameters is not None and not parameters.frozen:
            raise TypeError(
                f"{name} inherits from the dataclass {class_name(base)}, which is not frozen; "
                f"declare {class_name(base)} @dataclass(frozen=True)"
            )
    if "__pydantic_fields__" in cls.__dict__ and "__dataclass_params__" not in cls.__dict__:
        raise TypeError(f"{name} is a pydantic model; write `class {name}:` without that base, below {decorator}")


def _library_of_fields(base: type) -> str | None:
    """Returns the library that makes a class's fields; None if that is `dataclasses`, or there are none."""
    if base.__dict__.get("__attrs_attrs__"):
        return "attrs"
    is_dataclass = "__dataclass_params__" in base.__dict__
    return "pydantic" if base.__dict__.get("__pydantic_fields__") and not is_dataclass else None


def check_default_values(cls: type, *, is_static: bool) -> None:
    """Refuses a default that is one shared mutable object, as `dataclasses` does, and says what to write.

    Raises:
        StaticContractError: it is the default of a static field.
        ValueError: it is the default of a data field.
    """
    for name, annotation in annotations_of(cls).items():
        default = cls.__dict__.get(name)
        default = default.default if isinstance(default, dataclasses.Field) else default
        if type(default).__hash__ is not None or is_qualified_by("ClassVar", annotation):
            continue
        if is_static or is_qualified_by("Static", annotation):
            try:
                key_of(default)
            except Refused as refused:
                raise refused.under(f".{name}").as_error(class_name(cls)) from None
        written = f"`{name}: {render(annotation)} = field(default_factory={_factory(default)})`"
        raise ValueError(
            f"{class_name(cls)}.{name}: all objects would share one {class_name(type(default))} as their default; "
            f"write {written}"
        )


def _factory(default: object) -> str:
    """Returns the factory that makes such a value, in source."""
    if type(default) not in _DISPLAYED:
        return "..."
    return f"lambda: {default!r}" if default else type(default).__name__


class Implemented:
    """A class attribute for a field that implements an abstract one: the object's own value is found first."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> NoReturn:
        raise AttributeError(f"{class_name(owner)} has no attribute {self._name!r}")


def abstract_fields(cls: type) -> tuple[str, ...]:
    """Returns the fields declared under the name of something abstract, which is not a default for them."""
    names = tuple(
        name
        for name in annotations_of(cls)
        if name not in cls.__dict__ and getattr(getattr(cls, name, None), "__isabstractmethod__", False)
    )
    for name in names:
        setattr(cls, name, dataclasses.field())
    return names


def implement(cls: Any, names: tuple[str, ...]) -> None:
    """Makes fields implement abstract attributes in the bases of a dataclass."""
    for name in names:
        if name not in cls.__dict__:
            setattr(cls, name, Implemented(name))
    if names:
        abc.update_abstractmethods(cls)
