"""The scopes in which the annotations of functions and classes stand: closure, calling frames, module, source."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Mapping
from types import FrameType, FunctionType
from typing import Any

from jaxtyped_static._annotations.names import Scope
from jaxtyped_static._annotations.source import module_file


def function_scope(function: FunctionType, caller: FrameType | None) -> Scope:
    """Returns the scope of a function's annotations.

    Annotations kept as strings form no closures. So names of enclosing functions are looked up in the calling frames
    that lexically enclose the function, and then in the source.
    """
    code = function.__code__
    type_parameters = {parameter.__name__: parameter for parameter in getattr(function, "__type_params__", ())}
    module_globals = function.__globals__
    return Scope(
        namespaces=(
            type_parameters,
            *_lexical_frames(code.co_qualname, module_globals, caller),
            closure_of(function),
            module_globals,
            vars(builtins),
        ),
        filename=code.co_filename,
        package=module_globals.get("__package__") or None,
        qualname=_path(code.co_qualname),
    )


def class_scope(cls: type, caller: FrameType | None) -> Scope:
    """Returns the scope of the annotations in a class body; `caller` is the frame that decorates the class."""
    module_globals, filename = _module_of(cls, caller)
    type_parameters = {parameter.__name__: parameter for parameter in getattr(cls, "__type_params__", ())}
    return Scope(
        namespaces=(
            vars(cls),
            type_parameters,
            {cls.__name__: cls},  # The name is bound only after decoration.
            *_lexical_frames(cls.__qualname__, module_globals, caller),
            module_globals,
            vars(builtins),
        ),
        filename=filename,
        package=module_globals.get("__package__") or None,
        qualname=_path(cls.__qualname__),
    )


def closure_of(function: FunctionType) -> dict[str, object]:
    """Returns the variables that a function captures from enclosing functions, with their current values."""
    closure: dict[str, object] = {}
    if function.__closure__ is None:
        return closure
    for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True):
        try:
            closure[name] = cell.cell_contents
        except ValueError:  # Assigned later in the enclosing function.
            continue
    return closure


def _path(qualname: str) -> tuple[str, ...]:
    return tuple(part for part in qualname.split(".") if part != "<locals>")


def _module_of(cls: type, frame: FrameType | None) -> tuple[dict[str, Any], str | None]:
    """Returns the names and the file of a class's module, which need not be in `sys.modules` while it runs."""
    while frame is not None:
        if frame.f_globals.get("__name__") == cls.__module__:
            return frame.f_globals, frame.f_code.co_filename
        frame = frame.f_back
    loaded = sys.modules.get(cls.__module__)
    return ({} if loaded is None else vars(loaded)), module_file(cls.__module__)


def _lexical_frames(
    qualname: str, module_globals: dict[str, Any], frame: FrameType | None
) -> tuple[Mapping[str, object], ...]:
    if "." not in qualname:
        return ()
    found: list[Mapping[str, object]] = []
    while frame is not None:
        inside = qualname.startswith(f"{frame.f_code.co_qualname}.")
        if inside and frame.f_globals is module_globals:
            found.append(frame.f_locals)
        frame = frame.f_back
    return tuple(found)
