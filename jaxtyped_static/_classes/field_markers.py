"""Finds the static fields of a pytree class: by their annotations, or by the metadata that other libraries use."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any, Final, NoReturn, get_args, get_origin

from jaxtyped_static._annotations.functions import annotations_of
from jaxtyped_static._annotations.marker_faults import marker_fault
from jaxtyped_static._annotations.names import Scope, Unreadable
from jaxtyped_static._annotations.reading import UNMARKED, Reading, read_annotation
from jaxtyped_static._annotations.rendering import is_qualified_by, render, without_markers
from jaxtyped_static._annotations.surroundings import class_scope
from jaxtyped_static._errors import MarkerError
from jaxtyped_static._fields import metadata_value
from jaxtyped_static._kinds import TREE
from jaxtyped_static._markers import Marker
from jaxtyped_static._refusals.refused import class_name

# These are not fields, but `dataclasses` takes them for fields if a marker is around them.
_NO_FIELDS: Final = ("ClassVar", "InitVar")
_FINAL: Final = re.compile(r"\s*(?:\w+\.)*Final\[(.*)\]\s*", re.DOTALL)
# How a field's metadata says static: JAX, Equinox and TORAX (`static`), Flax (`pytree_node`), jax_dataclasses. They
# test the truth of the value, which may be `1`.
_STATIC_KEYS: Final = {"static": True, "pytree_node": False, "__jax_dataclasses_static_field__": True}


def static_fields(cls: Any, caller: FrameType | None) -> tuple[str, ...]:
    """Returns the static fields of a dataclass and its bases, in order.

    Args:
        cls: the dataclass.
        caller: the frame that decorates it, for names that are local to a function.

    Raises:
        MarkerError: an annotation cannot be read, or its marker has no effect.
    """
    markers = functools.cache(lambda base: _markers(base, caller))
    markers(cls)  # Reports a faulty annotation even if it is not a field.

    def is_static(field: dataclasses.Field[Any]) -> bool:
        for base in _bases_with(cls, field):
            if (tree := base.__dict__.get(TREE)) is not None:
                return field.name in tree.static  # As read when that class was decorated.
            if field.name in annotations_of(base):
                return _is_static(cls, field, markers(base))
        return _is_static(cls, field, {})

    return tuple(field.name for field in dataclasses.fields(cls) if is_static(field))


def refuse_dynamic_fields(cls: Any, caller: FrameType | None) -> None:
    """Refuses a field of a static class that is marked dynamic. Any other marker, or none, makes no difference there.

    The field may be that of a base that is not static, such as a frozen dataclass.

    Args:
        cls: the class, before it is a dataclass.
        caller: the frame that decorates it, for names that are local to a function.

    Raises:
        MarkerError: naming the field.
    """
    own = annotations_of(cls)
    _refuse_dynamic(cls, own, class_scope(cls, caller))
    for base in cls.__mro__[1:]:
        if "__dataclass_fields__" in base.__dict__:
            inherited = {name: annotation for name, annotation in annotations_of(base).items() if name not in own}
            _refuse_dynamic(cls, inherited, class_scope(base, caller))


def _refuse_dynamic(cls: type, annotations: Mapping[str, Any], scope: Scope) -> None:
    for name, annotation in annotations.items():
        try:
            reading = read_annotation(_unqualified(annotation), scope)
        except Unreadable:
            continue
        if Marker.DYNAMIC in reading.top | reading.nested:
            problem = (
                f"found `{render(annotation)}`, but every field of a static class is static; remove the marker, or "
                f"make the class a dynamic_dataclass and mark its static fields Static"
            )
            _refuse(cls, name, problem)


def _bases_with(cls: Any, field: dataclasses.Field[Any]) -> Iterator[Any]:
    """Returns the class and those of its bases that have this very field."""
    return (base for base in cls.__mro__ if base.__dict__.get("__dataclass_fields__", {}).get(field.name) is field)


def _is_static(cls: type, field: dataclasses.Field[Any], markers: Mapping[str, Marker]) -> bool:
    marker = markers.get(field.name)
    for key, static in _STATIC_KEYS.items():
        value = metadata_value(field, key)
        if value is None:
            continue
        is_set = bool(value)
        if marker is not None and (is_set is static) is not (marker is Marker.STATIC):
            problem = f"found it marked {marker.value}, and {key}={value!r} in its metadata; remove the metadata"
            raise MarkerError(problem, code="static-marker", function=class_name(cls), field=field.name)
        if is_set is static:
            return True
    return marker is Marker.STATIC


def _markers(cls: Any, caller: FrameType | None) -> dict[str, Marker]:
    """Returns the markers of the fields that a class declares itself."""
    annotations = annotations_of(cls)
    scope = class_scope(cls, caller)
    names = {field.name for field in dataclasses.fields(cls)}
    markers: dict[str, Marker] = {}
    for name, annotation in annotations.items():
        reading = _read(cls, name, annotation, scope, is_field=name in names)
        if reading.top:
            markers[name] = next(iter(reading.top))
    return markers


def _read(cls: type, name: str, annotation: Any, scope: Scope, *, is_field: bool) -> Reading:
    unmarked = without_markers(render(annotation)) or annotation
    is_field = is_field and not any(is_qualified_by(qualifier, unmarked) for qualifier in _NO_FIELDS)
    try:
        reading = read_annotation(_unqualified(annotation), scope)
    except Unreadable as problem:
        if not is_field:
            return UNMARKED
        _refuse(
            cls,
            name,
            f"found `{render(annotation)}`, which {problem}, so it is unknown whether it is Static. "
            "Make it readable when the class is decorated: import or define the name at run time, above it",
        )
    if not is_field:
        if reading.top or reading.nested:
            _refuse(cls, name, f"found `{render(annotation)}`, which is not a field; remove the marker")
        return UNMARKED
    if (fault := marker_fault(reading, render(annotation), "field")) is not None:
        _refuse(cls, name, fault.problem, fault.code)
    return reading


def _refuse(cls: type, name: str, problem: str, code: str = "static-marker") -> NoReturn:
    raise MarkerError(problem, code=code, function=class_name(cls), field=name)


def _unqualified(annotation: Any) -> Any:
    """Returns the annotation inside `Final[...]` or `InitVar[...]`."""
    if isinstance(annotation, dataclasses.InitVar):
        return annotation.type
    if isinstance(annotation, str):
        match = _FINAL.fullmatch(annotation)
        return annotation if match is None else match[1]
    return get_args(annotation)[0] if get_origin(annotation) is Final else annotation
