"""Copies and pickles of static objects.

A copy is private, so that a method may set its fields, as methods of frozen classes do. A pickle holds the
constructor's arguments, so that computed fields are computed with the current code when it is loaded.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Mapping
from functools import cached_property
from inspect import Parameter
from typing import Any, Final

from jaxtyped_static._attributes.attributes import attributes_of
from jaxtyped_static._classes.pickled_fields import attributes_in, check_kind, check_names, defaults, other_version
from jaxtyped_static._classes.static_constructors import finish
from jaxtyped_static._classes.static_definitions import check_undecorated
from jaxtyped_static._keys.interning import interned, row_of
from jaxtyped_static._kinds import decorated_class
from jaxtyped_static._refusals.refused import class_name
from jaxtyped_static._static_objects.layouts import layout_of
from jaxtyped_static._static_objects.private_objects import duplicate, fill, hash_by_value


def copied(self: Any) -> Any:
    """The class's `__copy__`."""
    hash_by_value(type(self))
    return duplicate(self, layout_of(type(self)).names)


def deeply_copied(self: Any, _memo: object = None) -> Any:
    """The class's `__deepcopy__`: objects in the table cannot change, and are not copied."""
    return self if row_of(self) is not None else copied(self)


def reduced(self: Any) -> tuple[object, ...]:
    """The class's `__reduce__`: the fields if the constructor makes the same object from them, else its arguments.

    If neither is known, the fields, which are then set without the constructor.
    """
    cls, layout = type(self), layout_of(type(self))
    fields = dict(zip(layout.names, layout.read(self), strict=True))
    if layout.arguments is not None:
        arguments = {name: fields[name] for name in layout.arguments}
        if layout.is_plain or _makes(cls, arguments, self):
            return rebuild, (cls, arguments)
    call = _call_by_name(cls, getattr(row_of(self), "call", None))
    if call is not None and _makes(cls, call, self):
        return rebuild_by_call, (cls, call)
    return restore, (cls, fields, {})


def _makes(cls: Any, arguments: Mapping[str, Any], value: Any) -> bool:
    with contextlib.suppress(Exception):  # The class's own code may raise.
        return cls(**arguments) is interned(value)
    return False


def _call_by_name(cls: Any, call: tuple[tuple[Any, ...], dict[str, Any]] | None) -> dict[str, Any] | None:
    """Returns the arguments of a call by parameter name; None if some have no name."""
    if call is None:
        return None
    args, kwargs = call
    bound = inspect.signature(cls).bind(*args, **kwargs)
    kinds = {bound.signature.parameters[name].kind for name in bound.arguments}
    return None if kinds - _BY_NAME else bound.arguments


_BY_NAME: Final = {Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY}


def rebuild(cls: Any, fields: dict[str, Any]) -> Any:
    """Makes an object from the values of its fields; pickles refer to this function by name.

    Raises:
        TypeError: the class is no longer static, or has other fields.
    """
    check_kind(cls, "static")
    layout = layout_of(cls)
    if layout.arguments is None:
        return restore(cls, fields, {})
    check_names(cls, fields, layout.arguments, layout.required)
    return cls(**fields)


def rebuild_by_call(cls: Any, arguments: dict[str, Any]) -> Any:
    """Makes an object by repeating the call that made it; pickles refer to this function by name.

    Raises:
        TypeError: the class is no longer static, or its constructor has other parameters.
    """
    check_kind(cls, "static")
    try:
        inspect.signature(cls).bind(**arguments)
    except TypeError as error:
        raise other_version(cls, f"its constructor {error}") from None
    return cls(**arguments)


def restore(cls: Any, fields: dict[str, Any], others: dict[str, Any]) -> Any:
    """Makes an object from its fields if the constructor cannot; pickles refer to this function by name.

    Pickles of earlier versions have `others`: what the class's code added, which may have become fields, and caches.

    Raises:
        TypeError: the class is no longer static, or has other fields.
        StaticContractError: the value of a field breaks the contract.
    """
    check_kind(cls, "static")
    layout = layout_of(cls)
    fields = fields | {name: value for name, value in others.items() if not _is_derived(cls, name)}
    gained = {name: value for name, value in defaults(cls).items() if name not in fields}
    check_names(cls, fields, layout.names, [name for name in layout.names if name not in gained])
    finish(cls)
    if (decorated := decorated_class(cls)) is not cls:
        check_undecorated(cls, decorated, layout)
    made = object.__new__(cls)
    fill(made, {**gained, **fields})
    return layout.publish(made)


def set_state(self: Any, state: Any) -> None:
    """The class's `__setstate__`, for pickles from before the class was static, and for PyYAML's object tags.

    Raises:
        TypeError: naming the fields in which the state and the class differ.
    """
    cls, layout = type(self), layout_of(type(self))
    attributes = attributes_in(state, cls, layout.names)
    fields = {name: value for name, value in attributes.items() if not _is_derived(cls, name)}
    if layout.arguments is None:
        check_names(cls, fields, layout.names, layout.names)
        made = restore(cls, fields, {})
    else:
        check_names(cls, fields, layout.names, layout.required)
        made = cls(**{name: value for name, value in fields.items() if name in layout.arguments})
    if made is self:
        return
    if row_of(self) is not None:
        name = class_name(cls)
        raise TypeError(
            f"this would overwrite {name}(), which others have, too: code in C, such as that of pickle, got it from "
            f"{name}.__new__ for an empty object. Read what was pickled before {name} was static with pickle._loads, "
            f"which is in Python, and pickle it again"
        )
    hash_by_value(cls)
    fill(self, dict(attributes_of(made)))


def _is_derived(cls: Any, name: str) -> bool:
    """Returns whether an attribute that is not a field follows from the others."""
    if name in layout_of(cls).names:
        return False
    return name.startswith("_") or isinstance(getattr(cls, name, None), cached_property)
