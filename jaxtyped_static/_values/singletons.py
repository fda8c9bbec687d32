"""Whether a callable is the same object each time the program gets to it, so that its identity is its value.

Definitions at module level run once, and so do functions and classes in their bodies. Anything else is a singleton if
a module, a class in one, or the cache of a memoised factory holds it.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    CodeType,
    FrameType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, Final

import jax

from jaxtyped_static._annotations.installed import is_in_package
from jaxtyped_static._values.lasting import LOCAL, is_held_for_good
from jaxtyped_static._values.refusals import Refused, class_name
from jaxtyped_static._values.static_classes import is_static
from jaxtyped_static._values.words import Reason

_OF_BUILTIN_CLASSES: Final = (
    ClassMethodDescriptorType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    WrapperDescriptorType,
)
_BOUND: Final = (MethodType, BuiltinFunctionType, MethodWrapperType)
_OWN_CODE: Final = Path(__file__).parents[1]


def check_singleton(value: Any) -> None:
    """Refuses a callable that is hashed by identity and made anew each time.

    Raises:
        Refused: for the reason that fits its kind.
    """
    if not is_singleton(value):
        raise refusal_of(value)


def refusal_of(value: Any) -> Refused:
    """What is wrong with a callable that is made anew each time."""
    return Refused(_reason(value), _subject(value), at=_at(value), captured=_captured(value))


def is_singleton(value: Any) -> bool:
    """Whether `value`, which is hashed by identity, is the same object each time."""
    if isinstance(value, FunctionType) and LOCAL not in value.__code__.co_qualname:
        return True
    if isinstance(value, type) and LOCAL not in value.__qualname__:
        return True
    if isinstance(value, _BOUND):
        owner = value.__self__
        return owner is None or isinstance(owner, ModuleType | type) or is_static(type(owner))
    if isinstance(value, _OF_BUILTIN_CLASSES) or _is_what_it_is_called(value):
        return True
    return is_held_for_good(value) or _runs_at_module_level(sys._getframe(1))


def _is_what_it_is_called(value: Any) -> bool:
    """Whether its module has it under its name, as after a decorator."""
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    found: Any = module
    with contextlib.suppress(Exception):  # Of a module that imports its attributes lazily, say.
        for name in str(getattr(value, "__qualname__", None) or getattr(value, "__name__", "")).split("."):
            found = getattr(found, name, None)
    return found is value


def _runs_at_module_level(frame: FrameType | None) -> bool:
    """Whether the code that hands us the value runs once, when its module is imported."""
    while frame is not None and _is_machinery(frame.f_code):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_name == "<module>"


def _is_machinery(code: CodeType) -> bool:
    """Our own functions, and those that `dataclasses` generates."""
    if code.co_filename == "<string>":
        return code.co_name != "<module>"
    return _OWN_CODE in Path(code.co_filename).parents


def _reason(value: Any) -> Reason:
    if isinstance(value, FunctionType):
        if is_in_package(value):
            return Reason.FUNCTION_OF_PACKAGE  # Its users can write it in no other place.
        return Reason.LAMBDA if value.__name__ == "<lambda>" else Reason.NESTED_FUNCTION
    for kind, reason in _KINDS:
        if isinstance(value, kind):
            return reason
    return Reason.UNKNOWN


_KINDS: Final[tuple[tuple[type | tuple[type, ...], Reason], ...]] = (
    (type, Reason.NESTED_CLASS),
    (jax.tree_util.Partial, Reason.TREE_PARTIAL),
    (partial, Reason.PARTIAL),
    (_BOUND, Reason.BOUND_METHOD),
)


def _subject(value: Any) -> str:
    if isinstance(value, jax.tree_util.Partial):
        return "jax.tree_util.Partial(...)"
    if isinstance(value, partial):
        return "functools.partial(...)"
    name = getattr(value, "__qualname__", None) or class_name(type(value))
    return str(name).rpartition(f"{LOCAL}.")[2]


def _at(value: Callable[..., Any]) -> str:
    """Where a function was written."""
    code = getattr(value, "__code__", None)
    return f" ({Path(code.co_filename).name}:{code.co_firstlineno})" if isinstance(code, CodeType) else ""


def _captured(value: Any) -> str:
    """What a function that is defined elsewhere would have to be passed."""
    names = value.__code__.co_freevars if isinstance(value, FunctionType) else ()
    shown = ", ".join(f'"{name}"' for name in names)
    return (
        f", and pass what it captures ({shown}) as {'an argument' if len(names) == 1 else 'arguments'}" if names else ""
    )
