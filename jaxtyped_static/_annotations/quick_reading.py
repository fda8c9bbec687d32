"""Reads the annotations of a function, and looks no further where the objects that they name tell all."""

from __future__ import annotations

import builtins
import functools
import re
from types import FrameType, FunctionType, ModuleType
from typing import Any, Final

from jaxtyped_static._annotations.names import Scope
from jaxtyped_static._annotations.reading import UNMARKED, Reading, read_annotation
from jaxtyped_static._annotations.surroundings import function_scope

# Readings of annotations whose names all have values. While the names have the same values, the reading is the same.
_known: Final[dict[tuple[str, tuple[int, ...]], tuple[tuple[object, ...], Reading]]] = {}
_MAX_KNOWN: Final = 4096


class AnnotationReader:
    """Reads the annotations of one function; names are looked up where it was written."""

    __slots__ = ("_caller", "_function", "_names", "_scope")

    def __init__(self, function: FunctionType, caller: FrameType | None) -> None:
        self._function = function
        self._caller = caller
        # The names of nested functions are looked up in more than one place.
        self._names = None if _is_nested(function) else function.__globals__
        self._scope: Scope | None = None

    def read(self, annotation: object) -> Reading:
        """Reads one annotation.

        Raises:
            Unreadable: it may hold a marker and cannot be resolved.
        """
        if not isinstance(annotation, str):
            return UNMARKED if _is_class(annotation) else self._in_full(annotation)
        named = None if self._names is None else _objects_named(annotation, self._names)
        if named is None:
            return self._in_full(annotation)
        if all(map(_is_class, named)):
            return UNMARKED
        key = annotation, tuple(map(id, named))
        if (known := _known.get(key)) is not None:
            return known[1]
        reading = self._in_full(annotation)
        if len(_known) >= _MAX_KNOWN:
            _known.clear()
        _known[key] = named, reading  # Keeps the objects alive, so their ids are not reused.
        return reading

    def _in_full(self, annotation: object) -> Reading:
        if self._scope is None:
            self._scope = function_scope(self._function, self._caller)
        return read_annotation(annotation, self._scope)


def _is_class(value: object) -> bool:
    """Returns whether it is a class, which holds no marker."""
    return isinstance(value, type)


def _is_nested(function: FunctionType) -> bool:
    return "." in function.__qualname__ or bool(getattr(function, "__type_params__", None))


_DOTTED_NAME: Final = re.compile(r"[A-Za-z_][\w.]*")


def _objects_named(annotation: str, names: dict[str, Any]) -> tuple[object, ...] | None:
    """Returns the objects that the names in an annotation stand for, without parsing it; None if one has no value now.

    Args:
        annotation: the annotation, as text.
        names: what is looked up before the built-in names.
    """
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
