"""Copies and pickles objects of a dynamic class by field names; fields are verified when a pickle is loaded."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, Final

from jaxtyped_static._classes.pickled_fields import attributes_in, check_kind, check_names, defaults
from jaxtyped_static._classes.trees import tree_of

_PICKLING: Final = ("__reduce__", "__reduce_ex__", "__getstate__")


def add_copying(cls: Any) -> None:
    """Adds methods for copies and pickles to a class, except those that it has."""
    if hasattr(cls, "__setstate__") or any(getattr(cls, name) is not getattr(object, name) for name in _PICKLING):
        return
    cls.__reduce__ = _reduce
    cls.__setstate__ = _set_state
    for name, method in (("__copy__", _copy), ("__deepcopy__", _deepcopy)):
        if not hasattr(cls, name):
            setattr(cls, name, method)


def _copy(self: Any) -> Any:
    children, metadata = tree_of(type(self)).flatten(self)
    return tree_of(type(self)).unflatten(metadata, children)


def _deepcopy(self: Any, memo: dict[int, Any]) -> Any:
    """Copies the data only: static values cannot change, and some may be compared by identity."""
    children, metadata = tree_of(type(self)).flatten(self)
    return tree_of(type(self)).unflatten(metadata, copy.deepcopy(children, memo))


def _reduce(self: Any) -> tuple[object, ...]:
    tree = tree_of(type(self))
    return rebuild, (type(self), {name: getattr(self, name) for name in (*tree.data, *tree.static)})


def rebuild(cls: Any, attributes: dict[str, Any]) -> Any:
    """Makes an object from the values of its fields; pickles refer to this function by name.

    Raises:
        TypeError: the class is no longer dynamic, or has other fields; an added field must have a default.
    """
    check_kind(cls, "dynamic")
    instance = object.__new__(cls)
    _set_fields(instance, attributes)
    return instance


def _set_state(self: Any, state: Any) -> None:
    """The class's `__setstate__`, for pickles from before the class was dynamic.

    Raises:
        TypeError: naming the fields in which the pickle and the class differ.
        StaticContractError: the value of a static field breaks the contract.
    """
    names = tuple(field.name for field in dataclasses.fields(self))
    _set_fields(self, attributes_in(state, type(self), names))


def _set_fields(instance: Any, attributes: dict[str, Any]) -> None:
    cls = type(instance)
    tree = tree_of(cls)
    names = (*tree.data, *tree.static)
    gained = {name: value for name, value in defaults(cls).items() if name not in attributes}
    check_names(cls, attributes, names, [name for name in names if name not in gained])
    values = gained | attributes
    instance.__dict__.update({field.name: values[field.name] for field in dataclasses.fields(cls)})
    tree.seal(instance)
