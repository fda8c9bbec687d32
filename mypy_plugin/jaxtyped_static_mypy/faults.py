"""A fault in the plugin itself is one line that names the file; mypy goes on, without this answer of ours."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from mypy.nodes import Context
from mypy.plugin import ClassDefContext, FunctionContext, MethodContext
from mypy.types import Type

from . import compat

ContextT = TypeVar("ContextT", FunctionContext, MethodContext)


def guard(hook: Callable[[ContextT], Type]) -> Callable[[ContextT], Type]:
    """The hook, with mypy's default answer and a note instead of an exception."""

    def guarded(ctx: ContextT) -> Type:
        try:
            return hook(ctx)
        except Exception as error:
            compat.note(ctx.api, describe_fault(error), ctx.context)
            return ctx.default_return_type

    return guarded


def guard_class(hook: Callable[[ClassDefContext], None]) -> Callable[[ClassDefContext], None]:
    def guarded(ctx: ClassDefContext) -> None:
        try:
            hook(ctx)
        except Exception as error:
            _semantic_note(ctx, describe_fault(error), ctx.cls)

    return guarded


def _semantic_note(ctx: ClassDefContext, message: str, context: Context) -> None:
    compat.semantic_note(ctx.api, message, context)


def describe_fault(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"jaxtyped_static could not check this ({type(error).__name__}: {error}, at {where}); please report it"
