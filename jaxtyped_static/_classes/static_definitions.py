"""Refuses definitions in a static class that would break the identity of its values."""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Iterable, Iterator
from typing import Any, Final

from jaxtyped_static._annotations.functions import annotations_of
from jaxtyped_static._annotations.rendering import is_qualified_by
from jaxtyped_static._classes.dataclass_habits import check_bases
from jaxtyped_static._classes.structure import register_subclass
from jaxtyped_static._fields import metadata_value
from jaxtyped_static._kinds import LAYOUT
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason
from jaxtyped_static._static_objects.layouts import Layout

# Subclasses that were checked.
_harmless: Final[weakref.WeakSet[type]] = weakref.WeakSet()
_GENERATED: Final = ("__new__", "__eq__", "__hash__", "__setattr__", "__delattr__", "__reduce__", "__reduce_ex__")


def check_definition(cls: Any) -> None:
    """Refuses a class that defines what `static_dataclass` generates, or whose base makes objects in its own way.

    Raises:
        TypeError: naming the method or the base.
    """
    if not isinstance(cls, type):
        raise TypeError(f"@static_dataclass needs a class, got {cls!r}")
    name = class_name(cls)
    if LAYOUT in cls.__dict__:
        raise TypeError(f"{name} is already a static class; decorate it once")
    if "__dataclass_fields__" in cls.__dict__:
        raise TypeError(f"{name} is already a dataclass; drop @dataclass, which @static_dataclass implies")
    check_bases(cls, "@static_dataclass")
    for method in _GENERATED:
        if method in cls.__dict__:
            raise TypeError(f"{name} defines {method}, which @static_dataclass generates; drop it")
    maker = next(base for base in cls.__mro__ if "__new__" in base.__dict__)
    if maker is not object and LAYOUT not in maker.__dict__:
        raise TypeError(
            f"{name} inherits {class_name(maker)}.__new__, so @static_dataclass cannot make its objects; "
            f"hold a {class_name(maker)} in a field instead"
        )


def check_fields(cls: type, fields: Iterable[dataclasses.Field[Any]]) -> None:
    """Refuses a field that is not compared, and a class without weak references.

    Raises:
        StaticContractError: a field has `compare=False`.
        TypeError: a hand-written `__slots__` lacks `__weakref__`.
    """
    name = class_name(cls)
    for field in fields:
        if metadata_value(field, "static") is False:
            raise TypeError(f"{name}.{field.name} has static=False, but every field of a static class is; remove it")
        if not field.compare:
            raise Refused(Reason.FIELD_NOT_COMPARED, field.name).under(f".{field.name}").as_error(name)
    if not cls.__weakrefoffset__:
        advice = 'add "__weakref__" to its __slots__, or use slots=True'
        raise TypeError(f"{name} does not support weak references; {advice}")


def check_undecorated(cls: type, decorated: type, layout: Layout) -> None:
    """Refuses to make an object of an undecorated subclass that changes more than methods.

    Other undecorated subclasses are registered as pytrees, like decorated classes.

    Raises:
        TypeError: naming what it adds.
    """
    if cls in _harmless:
        return
    added = next(_added_to(cls, decorated, layout), None)
    if added is None:
        register_subclass(cls)
        _harmless.add(cls)
    else:
        raise TypeError(
            f"{class_name(cls)} adds {added} to the static class {class_name(decorated)}; "
            f"decorate it with @static_dataclass"
        )


def _added_to(cls: Any, decorated: Any, layout: Layout) -> Iterator[str]:
    for method in ("__init__", "__new__", "__eq__", "__hash__", "__setattr__", "__delattr__"):
        if getattr(cls, method) is not getattr(decorated, method):
            yield method
    for base in cls.__mro__:
        names = getattr(base.__dict__.get(LAYOUT), "names", ())
        if base is not decorated and issubclass(base, decorated):
            names = (
                name for name, annotation in annotations_of(base).items() if not is_qualified_by("ClassVar", annotation)
            )
        for name in names:
            if name not in layout.names:
                yield f"the field {name!r}"
