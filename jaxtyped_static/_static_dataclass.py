"""`static_dataclass` makes a frozen dataclass whose equal values are one object.

JAX hashes and compares static arguments on each call. If equal values are the same object, `object`'s own `__hash__`
and `__eq__` work by value, and their cost does not depend on the size of the value.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, Literal, NoReturn, TypeVar, cast, dataclass_transform, overload

from jaxtyped_static._annotations.rendering import render
from jaxtyped_static._classes.dataclass_habits import (
    abstract_fields,
    check_default_values,
    check_frozen_option,
    implement,
)
from jaxtyped_static._classes.field_markers import refuse_dynamic_fields
from jaxtyped_static._classes.foreign_makers import core_schema, expect_private_objects
from jaxtyped_static._classes.static_constructors import make_constructor
from jaxtyped_static._classes.static_copies import copied, deeply_copied, reduced, set_state
from jaxtyped_static._classes.static_definitions import check_definition, check_fields
from jaxtyped_static._classes.structure import register_static
from jaxtyped_static._fields import field, hashed_by_id
from jaxtyped_static._refusals.refused import class_name
from jaxtyped_static._static_objects.init_parameters import parameters_after_self
from jaxtyped_static._static_objects.layouts import Layout
from jaxtyped_static._static_objects.private_objects import equals

__all__ = ["static_dataclass"]

T = TypeVar("T")


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def static_dataclass(cls: type[T], /) -> type[T]: ...


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def static_dataclass(
    *, frozen: Literal[True] = ..., repr: bool = ..., match_args: bool = ..., kw_only: bool = ..., slots: bool = ...
) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def static_dataclass(
    cls: type[T] | None = None,
    /,
    *,
    frozen: Literal[True] = True,
    repr: bool = True,
    match_args: bool = True,
    kw_only: bool = False,
    slots: bool = False,
) -> type[T] | Callable[[type[T]], type[T]]:
    """Makes a class static: frozen, compared by exact value, verified when it is made; equal values are one object.

    Use it bare (`@static_dataclass`) or with the options of `dataclasses.dataclass`. Two values are the same object if
    they have the same class and every field has the same value of the same class, at every depth: `1`, `1.0` and `True`
    differ, and so do `0.0` and `-0.0`; NaN equals itself.

    `__post_init__` may still set fields, with `object.__setattr__`. Decorate a subclass, too, if it adds fields.

    Raises:
        MarkerError: a field is marked `Dynamic[...]`.
        StaticContractError: a field has `compare=False`; or, when an object is made, a field's value can change, has no
            hash by value, is or holds an array or a tracer, or is a callable that is not a singleton.
        TypeError: the class defines what `static_dataclass` generates, such as `__eq__`.
    """
    check_frozen_option(frozen, "@static_dataclass")
    options = {"repr": repr, "match_args": match_args, "kw_only": kw_only}
    if cls is None:
        return lambda cls: _make_static(cls, sys._getframe(1), options, slots=slots)
    return _make_static(cls, sys._getframe(1), options, slots=slots)


def _make_static(cls: type[T], caller: FrameType, options: dict[str, bool], *, slots: bool) -> type[T]:
    check_definition(cls)
    refuse_dynamic_fields(cls, caller)
    writes_init = "__init__" in cls.__dict__
    check_default_values(cls, is_static=True)
    abstract = abstract_fields(cls)
    weakref_slot = slots and not any(base.__weakrefoffset__ for base in cls.__mro__[1:])
    made: Any = dataclasses.dataclass(frozen=True, eq=False, slots=slots, weakref_slot=weakref_slot, **options)(cls)
    implement(made, abstract)
    fields = dataclasses.fields(made)
    check_fields(made, fields)
    runs_code = writes_init or hasattr(made, "__post_init__")
    floats = frozenset(declared.name for declared in fields if render(declared.type) == "float")
    layout = Layout([declared.name for declared in fields], hashed_by_id(made), floats, runs_code=runs_code)
    parameters = parameters_after_self(made.__init__)
    layout.take_parameters(parameters)
    layout.must_set = tuple(declared.name for declared in fields if declared.init) if writes_init else ()
    for name, value in _METHODS.items():
        setattr(made, name, value)
    make_constructor(made, layout, parameters)
    for name, value in _UNLESS_DEFINED.items():
        if getattr(getattr(made, name, None), "__module__", "dataclasses") == "dataclasses":
            setattr(made, name, value)
    expect_private_objects(made)
    register_static(made)
    return cast(type[T], made)


def _refuse_assignment(self: Any, name: str, value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(
        f"cannot assign to field {name!r}: {class_name(type(self))} is static; make a new one, as "
        f"dataclasses.replace(..., {name}=...) does"
    )


def _refuse_deletion(self: Any, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}: {class_name(type(self))} is static")


_METHODS: Final[dict[str, Any]] = {
    "__eq__": equals,
    "__ne__": object.__ne__,
    "__hash__": object.__hash__,
    "__setattr__": _refuse_assignment,
    "__delattr__": _refuse_deletion,
    "__copy__": copied,
    "__deepcopy__": deeply_copied,
    "__reduce__": reduced,
    "__reduce_ex__": object.__reduce_ex__,
}
# A class may define these itself; `dataclasses` does so for a class with slots.
_UNLESS_DEFINED: Final[dict[str, Any]] = {
    "__setstate__": set_state,
    "__get_pydantic_core_schema__": classmethod(core_schema),
}
