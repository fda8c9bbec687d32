"""`static_dataclass`: a frozen dataclass of which equal values are one object.

JAX hashes and compares static arguments with each call. Where equal values are the same object, `object`'s own
`__hash__` and `__eq__` are by value, and cost what they cost for any object, however large the value is.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn, TypeVar, cast, dataclass_transform, overload
from weakref import getweakrefcount

from jaxtyped_static._annotations.rendering import render
from jaxtyped_static._classes.constructor import written_out
from jaxtyped_static._classes.foreign_makers import core_schema, expect_private_objects
from jaxtyped_static._classes.raw_calls import wants_raw_object
from jaxtyped_static._classes.static_copies import copied, deeply_copied, reduced, set_state
from jaxtyped_static._classes.static_definitions import check_definition, check_fields, check_undecorated
from jaxtyped_static._classes.structure import register_static
from jaxtyped_static._fields import field, hashed_by_id
from jaxtyped_static._values.class_contract import attributes_of
from jaxtyped_static._values.interning import entry_of, keep_call
from jaxtyped_static._values.layouts import Layout
from jaxtyped_static._values.private_objects import being_made, equals, raw_object
from jaxtyped_static._values.refusals import class_name

__all__ = ["static_dataclass"]

T = TypeVar("T")
# What may be kept of a call: it cannot change, and holds on to nothing.
_ATOMS: Final = frozenset({int, bool, float, complex, str, bytes, type(None)})


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def static_dataclass(cls: type[T], /) -> type[T]: ...


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def static_dataclass(
    *, repr: bool = ..., match_args: bool = ..., kw_only: bool = ..., slots: bool = ...
) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def static_dataclass(
    cls: type[T] | None = None,
    /,
    *,
    repr: bool = True,
    match_args: bool = True,
    kw_only: bool = False,
    slots: bool = False,
) -> type[T] | Callable[[type[T]], type[T]]:
    """Makes a class static: frozen, compared by exact value, verified when it is made; equal values are one object.

    Used bare (`@static_dataclass`) or with options, which are those of `dataclasses.dataclass`. Two values are the same
    object if they have the same class and every field has the same value of the same class, all the way down: `1`,
    `1.0` and `True` differ, and so do `0.0` and `-0.0`; NaN is equal to itself.

    `__post_init__` may still set fields, with `object.__setattr__`. A subclass that has fields of its own is decorated,
    too.

    Raises:
        StaticContractError: a field has `compare=False`; when an object is made: a field's value can change, has no
            hash by value, is or holds an array or a tracer, or is a callable that is not a singleton.
        TypeError: the class defines what `static_dataclass` generates, such as `__eq__`.
    """
    if cls is None:
        return functools.partial(_make_static, repr=repr, match_args=match_args, kw_only=kw_only, slots=slots)
    return _make_static(cls, repr=repr, match_args=match_args, kw_only=kw_only, slots=slots)


def _make_static(cls: type[T], /, *, slots: bool, **options: bool) -> type[T]:
    check_definition(cls)
    writes_init = "__init__" in cls.__dict__
    weakref_slot = slots and not any(base.__weakrefoffset__ for base in cls.__mro__[1:])
    made: Any = dataclasses.dataclass(frozen=True, eq=False, slots=slots, weakref_slot=weakref_slot, **options)(cls)
    fields = dataclasses.fields(made)
    check_fields(made, fields)
    runs_code = writes_init or hasattr(made, "__post_init__")
    floats = frozenset(each.name for each in fields if render(each.type) == "float")
    layout = Layout([each.name for each in fields], hashed_by_id(made), floats, runs_code=runs_code)
    layout.take_parameters(list(inspect.signature(made.__init__).parameters.values())[1:])
    must_set = tuple(each.name for each in fields if each.init) if writes_init else None
    own = {
        "__new__": staticmethod(_constructor(made, layout, must_set, runs_code=runs_code)),
        "__init__": _initialiser(made, layout),
        "__static_layout__": layout,
    }
    for name, value in {**_METHODS, **own}.items():
        setattr(made, name, value)
    for name, value in _UNLESS_DEFINED.items():
        if getattr(getattr(made, name, None), "__module__", "dataclasses") == "dataclasses":
            setattr(made, name, value)
    expect_private_objects(made)
    register_static(made)
    return cast(type[T], made)


def _constructor(made: Any, layout: Layout, must_set: Sequence[str] | None, *, runs_code: bool) -> Callable[..., Any]:
    """The class's `__new__`: an object is initialised before it is known to be the only one."""
    initialise, create = made.__init__, object.__new__

    def __new__(cls: type, /, *args: Any, **kwargs: Any) -> Any:
        if cls is not made:
            check_undecorated(cls, made, layout)
        if not args and not kwargs:
            if wants_raw_object():
                return raw_object(cls)
            if layout.required:  # For a raw object, too, or `__init__` says what is missing.
                return create(cls)
        instance: Any = create(cls)
        being_made.add(id(instance))
        try:
            initialise(instance, *args, **kwargs)
            if must_set is not None:
                _check_set(instance, must_set)
            known = layout.publish(instance)
        finally:
            being_made.discard(id(instance))
        if layout.keeps_calls and _ATOMS.issuperset(map(type, (*args, *kwargs.values()))):
            keep_call(known, args, kwargs)
        return known

    new: Any = __new__ if runs_code else written_out(made, layout, __new__)
    new.__wrapped__ = initialise  # Where `inspect.signature` looks.
    new.__qualname__ = f"{made.__qualname__}.__new__"
    return cast(Callable[..., Any], new)


def _initialiser(made: Any, layout: Layout) -> Callable[..., None]:
    """The class's `__init__`, which Python calls after `__new__`, with an object that needs it no more.

    It does something for a raw object, and for `super().__init__(...)` in the `__init__` of a subclass.
    """
    initialise = made.__init__

    @functools.wraps(initialise)
    def __init__(self: Any, /, *args: Any, **kwargs: Any) -> None:
        if type(self) is made and getweakrefcount(self):
            return
        if entry_of(self) is None:
            initialise(self, *args, **kwargs)

    return __init__


def _check_set(instance: Any, names: Sequence[str]) -> None:
    """A default of the class would hide that an `__init__` written by hand has left a field out."""
    present = dict(attributes_of(instance))
    for name in names:
        if name not in present:
            cls = class_name(type(instance))
            raise TypeError(f"{cls}.__init__ did not set {name!r}; set it with object.__setattr__(self, {name!r}, ...)")


def _refuse_assignment(self: Any, name: str, value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(
        f"cannot assign to {name!r} of {class_name(type(self))}, which is static; make a new one: "
        f"dataclasses.replace(..., {name}=...)"
    )


def _refuse_deletion(self: Any, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete {name!r} of {class_name(type(self))}, which is static")


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
# What a class may define itself; `dataclasses` does, of a class with slots.
_UNLESS_DEFINED: Final[dict[str, Any]] = {
    "__setstate__": set_state,
    "__get_pydantic_core_schema__": classmethod(core_schema),
}
