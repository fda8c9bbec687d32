"""Reads the annotations of a function, and looks no further where the objects that they name tell all."""

from __future__ import annotations

import builtins
import functools
import re
from collections.abc import Callable
from types import FrameType, FunctionType, ModuleType
from typing import Any, Final, TypeAlias

from jaxtyped_static._annotations.names import Scope
from jaxtyped_static._annotations.reading import UNMARKED, Reading, read_annotation
from jaxtyped_static._annotations.surroundings import function_scope

AnnotationReader: TypeAlias = Callable[[object], Reading]

# Readings of annotations whose names all have values. While the names have the same values, the reading is the same.
_known: Final[dict[tuple[str, tuple[int, ...]], tuple[tuple[object, ...], Reading]]] = {}
_MAX_KNOWN: Final = 4096


def annotation_reader(function: FunctionType, caller: FrameType | None) -> AnnotationReader:
    """Returns how to read the annotations of a function; names are looked up where it was written.

    What it returns raises `Unreadable` for an annotation that may hold a marker and cannot be resolved.
    """
    scope = functools.cache(lambda: function_scope(function, caller))
    return lambda annotation: _read(annotation, function, scope)


def _read(annotation: object, function: FunctionType, scope: Callable[[], Scope]) -> Reading:
    if not isinstance(annotation, str):
        return UNMARKED if _is_class(annotation) else read_annotation(annotation, scope())
    named = _objects_named(annotation, function)
    if named is None:
        return read_annotation(annotation, scope())
    if all(map(_is_class, named)):
        return UNMARKED
    key = annotation, tuple(map(id, named))
    if (known := _known.get(key)) is not None:
        return known[1]
    reading = read_annotation(annotation, scope())
    if len(_known) >= _MAX_KNOWN:
        _known.clear()
    _known[key] = named, reading  # Keeps the objects alive, so their ids are not reused.
    return reading


def _is_class(value: object) -> bool:
    """Returns whether it is a class, which holds no marker."""
    return isinstance(value, type)


_DOTTED_NAME: Final = re.compile(r"[A-Za-z_][\w.]*")


def _objects_named(annotation: str, function: FunctionType) -> tuple[object, ...] | None:
    """Returns the objects that the names in an annotation stand for, without parsing it; None if one has no value now.

    Also None for nested functions, whose names are looked up in more than one place.
    """
    if "." in function.__qualname__ or getattr(function, "__type_params__", None):
        return None
    names: dict[str, Any] = function.__globals__
    found: list[object] = []
    for first, *rest in _dotted_names(annotation):
        namespace = names if first in names else vars(builtins)
        if first not in namespace:
            return None
        value = namespace[first]
        for name in rest:
            if not isinstance(value, ModuleType) or name not in vars(value):
                return None
            value = vars(value)[name]
        found.append(value)
    return tuple(found)


@functools.lru_cache(maxsize=1024)
def _dotted_names(annotation: str) -> tuple[list[str], ...]:
    return tuple(dotted.split(".") for dotted in _DOTTED_NAME.findall(annotation))
