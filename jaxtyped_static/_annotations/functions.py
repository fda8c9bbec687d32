"""What Python knows about a callable: its signature, where it was written, and what it wraps."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

from jaxtyped_static._annotations.syntax import find_function

# From Python 3.14 on, annotations are evaluated on demand and may fail then; with this format, unknown names become
# references.
_FOR_SIGNATURE: dict[str, Any] = {}
_FOR_ANNOTATIONS: dict[str, Any] = {}
if sys.version_info >= (3, 14):
    from annotationlib import Format

    _FOR_SIGNATURE = {"annotation_format": Format.FORWARDREF}
    _FOR_ANNOTATIONS = {"format": Format.FORWARDREF}


def signature_of(fun: Callable[..., Any], *, follow_wrapped: bool = True) -> inspect.Signature | None:
    """Returns the signature of `fun`; None for built-in functions without one."""
    try:
        return inspect.signature(fun, follow_wrapped=follow_wrapped, **_FOR_SIGNATURE)
    except (TypeError, ValueError):
        return None


def annotations_of(fun: Callable[..., Any]) -> dict[str, Any]:
    """Returns the annotations unevaluated: strings stay strings. A wrapper usually has the wrapped function's."""
    if isinstance(fun, FunctionType) and not _FOR_ANNOTATIONS:
        return fun.__annotations__  # Direct access; `inspect` makes a copy.
    return inspect.get_annotations(fun, **_FOR_ANNOTATIONS)


def stands_for(fun: object) -> Callable[..., Any] | None:
    """Returns the callable one step down whose annotations describe `fun`; None for Python functions and built-ins."""
    if isinstance(fun, FunctionType):
        return None
    if isinstance(fun, partial):
        return fun.func
    if isinstance(fun, MethodType):
        return fun.__func__
    names = ("__init__", "__new__") if isinstance(fun, type) else ("__call__",)
    methods = (getattr(fun if isinstance(fun, type) else type(fun), name, None) for name in names)
    return next((method for method in methods if isinstance(method, FunctionType) or wrapped_by(method)), None)


def call_method(value: object) -> FunctionType | None:
    """Returns the `__call__` that the object's class defines in Python."""
    for base in () if isinstance(value, type) else type(value).__mro__:
        if "__call__" in base.__dict__:
            method = base.__dict__["__call__"]
            return method if isinstance(method, FunctionType) else None
    return None


def underlying(fun: object) -> FunctionType | None:
    """Returns the Python function behind a partial, method, callable object or compiled function."""
    if fun is None or isinstance(fun, FunctionType):
        return fun
    return underlying(wrapped_by(fun) or stands_for(fun))


def wrapped_by(fun: object) -> Callable[..., Any] | None:
    """Returns the function that `functools.wraps` recorded: the one that `fun` presents itself as."""
    inner = getattr(fun, "__wrapped__", None)
    return inner if callable(inner) else None


def place(fun: Callable[..., Any]) -> str:
    """Returns a function's name and place for messages: `step (train.py:12)`."""
    name = getattr(fun, "__qualname__", None) or type(fun).__qualname__
    function = underlying(fun)
    if function is None:
        return str(name)
    code = function.__code__
    name = name if isinstance(fun, FunctionType | type) else function.__qualname__
    return f"{name} ({Path(code.co_filename).name}:{code.co_firstlineno})"


def is_classmethod_body(fun: Callable[..., Any]) -> bool:
    """Returns whether the source has `@classmethod` above this function; then it receives the class."""
    node = find_function(fun.__code__) if isinstance(fun, FunctionType) else None
    decorators = () if node is None else node.decorator_list
    return any(isinstance(decorator, ast.Name) and decorator.id == "classmethod" for decorator in decorators)
