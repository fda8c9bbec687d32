"""Reads the markers that a callable's annotations declare, by parameter name."""

from __future__ import annotations

import ast
import inspect
import weakref
from collections.abc import Iterable
from types import FrameType, FunctionType
from typing import Any, Final

from jaxtyped_static._annotations.description import DeclaredParameter, Description, describe
from jaxtyped_static._annotations.functions import annotations_of, place, wrapped_by
from jaxtyped_static._annotations.marker_faults import is_contradictory, marker_fault
from jaxtyped_static._annotations.names import Unreadable
from jaxtyped_static._annotations.quick_reading import AnnotationReader
from jaxtyped_static._annotations.reading import UNMARKED, Reading
from jaxtyped_static._annotations.rendering import render
from jaxtyped_static._annotations.syntax import find_function
from jaxtyped_static._errors import JitArgumentsError, MarkerError
from jaxtyped_static._markers import Marker

_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_EMPTY = inspect.Parameter.empty

Markers = dict[str, Marker]

# The static parameters of functions that wrap nothing and were read already.
_static_names: Final[weakref.WeakKeyDictionary[FunctionType, frozenset[str]]] = weakref.WeakKeyDictionary()


def declared_markers(described: Description, caller: FrameType | None) -> Markers:
    """Returns the marked parameters of a callable, looking names up where the annotations were written.

    Raises:
        MarkerError: an annotation cannot be read, or its marker has no effect.
        JitArgumentsError: `*args` or `**kwargs` is marked `Static`.
    """
    if described.wraps is not None:
        return _added_markers(described, described.wraps, caller) | _inner_markers(described.wraps, caller)
    if isinstance(described.fun, FunctionType):
        reader = AnnotationReader(described.fun, caller)
        _check_result(described.fun, described.result, reader)
        return _own_markers(described.fun, described.own, reader)
    return {} if described.stands_for is None else _inner_markers(described.stands_for, caller)


def _inner_markers(inner: Description, caller: FrameType | None) -> Markers:
    """Returns the marked parameters of what a callable wraps or stands for; a search for hidden markers comes to it."""
    markers = declared_markers(inner, caller)
    if isinstance(inner.fun, FunctionType) and inner.wraps is None:
        _static_names[inner.fun] = _marked_static(markers)
    return markers


def static_names(fun: Any, caller: FrameType | None) -> frozenset[str]:
    """Returns the static parameters of a function; none if its annotations cannot be read: it may never be called."""
    if wrapped_by(fun) is not None:
        return _read_static_names(fun, caller)
    if not isinstance(fun, FunctionType):
        return frozenset()
    known = _static_names.get(fun)
    if known is None:
        known = _static_names[fun] = _read_static_names(fun, caller)
    return known


def _read_static_names(fun: Any, caller: FrameType | None) -> frozenset[str]:
    try:
        return _marked_static(declared_markers(describe(fun), caller))
    except MarkerError:
        return frozenset()


def _marked_static(markers: Markers) -> frozenset[str]:
    return frozenset(name for name, marker in markers.items() if marker is Marker.STATIC)


def _added_markers(wrapper: Description, inner: Description, caller: FrameType | None) -> Markers:
    """Returns the markers of parameters that a wrapper adds to those of the function it wraps."""
    known = {parameter.name for parameter in (*inner.own, *(inner.claimed or ()))}
    if not isinstance(wrapper.fun, FunctionType):
        markers = {} if wrapper.stands_for is None else declared_markers(wrapper.stands_for, caller)
        return {name: marker for name, marker in markers.items() if name not in known}
    added = [parameter for parameter in wrapper.own if parameter.name not in known and parameter.kind not in _VARIADIC]
    # functools.wraps replaces the wrapper's annotations by those of the wrapped function.
    if annotations_of(inner.fun) == annotations_of(wrapper.fun) and wrapper.fun.__name__ != "<lambda>":
        added = [_with_written_annotation(parameter, wrapper.fun) for parameter in added]
    return _own_markers(wrapper.fun, added, AnnotationReader(wrapper.fun, caller))


def _with_written_annotation(parameter: DeclaredParameter, wrapper: FunctionType) -> DeclaredParameter:
    if parameter.annotation is not _EMPTY:
        return parameter
    node = find_function(wrapper.__code__)
    if node is None:
        raise MarkerError(
            "the wrapper's own annotation of this parameter was replaced by functools.wraps and its source is not "
            "available; put @jit below the decorator",
            code="static-marker",
            function=place(wrapper),
            parameter=parameter.name,
        )
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    written = next((argument.annotation for argument in arguments if argument.arg == parameter.name), None)
    return parameter if written is None else parameter._replace(annotation=ast.unparse(written))


def _own_markers(function: FunctionType, parameters: Iterable[DeclaredParameter], reader: AnnotationReader) -> Markers:
    annotated = [parameter for parameter in parameters if parameter.annotation is not _EMPTY]
    markers: Markers = {}
    for parameter in annotated:
        try:
            reading = reader.read(parameter.annotation)
        except Unreadable as problem:
            raise MarkerError(
                f"found `{render(parameter.annotation)}`, which {problem}, so it is unknown whether it is Static. "
                "Make it readable when the function is decorated: import or define the name at run time, above it",
                code="static-marker",
                function=place(function),
                parameter=parameter.name,
            ) from problem
        if reading is UNMARKED:
            continue
        _check(reading, parameter, function)
        if reading.top:
            markers[parameter.name] = next(iter(reading.top))
    return markers


def _check_result(function: FunctionType, annotation: object, reader: AnnotationReader) -> None:
    """Refuses a marked result: what leaves a compiled function is an array."""
    try:
        reading = UNMARKED if annotation is None else reader.read(annotation)
    except Unreadable:
        return
    if reading.top or reading.nested:
        raise MarkerError(
            f"found `{render(annotation)}` as the return type, where a marker has no effect; remove the marker",
            code="static-marker",
            function=place(function),
        )


def _check(reading: Reading, parameter: DeclaredParameter, function: FunctionType) -> None:
    """Refuses a marker that says nothing, contradicts itself or has no effect where it stands."""
    found = render(parameter.annotation)
    if Marker.STATIC in reading.top | reading.nested and parameter.kind in _VARIADIC and not is_contradictory(reading):
        stars = "*" if parameter.kind is inspect.Parameter.VAR_POSITIONAL else "**"
        raise JitArgumentsError(
            f"found `{stars}{parameter.name}: {found}`, but JAX can make only single parameters static, not all that "
            f"a `{stars}` takes; write one named parameter for each, as in `n: Static[int]`",
            code="jit-argnames",
            function=place(function),
            parameter=parameter.name,
        )
    if (fault := marker_fault(reading, found, "parameter")) is not None:
        raise MarkerError(fault.problem, code=fault.code, function=place(function), parameter=parameter.name)
