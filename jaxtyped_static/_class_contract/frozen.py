"""Checks whether an object can change after it was hashed."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from types import FunctionType
from typing import Any, Final

from jaxtyped_static._annotations.functions import annotations_of
from jaxtyped_static._annotations.rendering import is_qualified_by
from jaxtyped_static._annotations.syntax import find_function
from jaxtyped_static._attributes.attributes import attributes_of
from jaxtyped_static._attributes.fields import field_names, is_frozen_by_convention, is_pydantic
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason

_FREEZE: Final = "declare it @dataclass(frozen=True)"
_FREEZE_ATTRS: Final = "declare it @attrs.frozen"
_FREEZE_PYDANTIC: Final = "give it model_config = ConfigDict(frozen=True)"


def check_frozen(value: Any) -> None:
    """Refuses a value that can change after it was hashed."""
    cls: Any = type(value)
    subject = class_name(cls)
    if is_frozen_by_convention(cls):
        return
    if is_pydantic(cls):
        if not cls.model_config.get("frozen"):
            raise Refused(Reason.NOT_FROZEN, subject, _FREEZE_PYDANTIC)
        return
    parameters = getattr(cls, "__dataclass_params__", None)
    if parameters is not None and parameters.frozen:
        _check_nothing_added(value)
        return
    if _refuses_assignment(value):
        return
    if parameters is not None:
        raise Refused(Reason.NOT_FROZEN, subject, _FREEZE)
    if hasattr(cls, "__attrs_attrs__"):
        raise Refused(Reason.NOT_FROZEN, subject, _FREEZE_ATTRS)
    final = _final_names(cls)
    for name, _ in attributes_of(value):
        if not name.startswith("_") and name not in final:
            raise Refused(Reason.ASSIGNABLE_ATTRIBUTE, subject, name)


def _check_nothing_added(value: Any) -> None:
    """Refuses attributes that an undecorated subclass adds: a frozen dataclass guards only its own fields."""
    cls = type(value)
    if "__dataclass_params__" in cls.__dict__:
        return
    names = field_names(cls) or ()
    for name, _ in attributes_of(value):
        if name not in names and not name.startswith("_"):
            raise Refused(Reason.ASSIGNABLE_ATTRIBUTE, class_name(cls), name)


def _refuses_assignment(value: Any) -> bool:
    """Returns whether a hand-written `__setattr__` refuses to set an attribute even to its current value."""
    cls: Any = type(value)
    if cls.__setattr__ is object.__setattr__:
        return False
    for name, item in attributes_of(value):
        try:
            setattr(value, name, item)
        except Exception:
            return True
        return False
    return True


@functools.lru_cache(maxsize=1024)
def _final_names(cls: type) -> frozenset[str]:
    """Returns the attributes declared `Final`, in the body of a class or in its `__init__`."""
    return frozenset(name for base in cls.__mro__ for name in _final_names_in(base))


def _final_names_in(cls: type) -> Iterator[str]:
    for name, annotation in annotations_of(cls).items():
        if is_qualified_by("Final", annotation):
            yield name
    init = cls.__dict__.get("__init__")
    node = find_function(init.__code__) if isinstance(init, FunctionType) else None
    for statement in ast.walk(node) if node is not None else ():
        match statement:
            case ast.AnnAssign(target=ast.Attribute(attr=name), annotation=annotation):
                if is_qualified_by("Final", ast.unparse(annotation)):
                    yield name
