"""Turns an exception in the plugin into a note that names where it was raised, so that mypy can go on.

mypy takes any exception in a hook for one of its own: it prints INTERNAL ERROR and stops (2.4.1).
"""

import traceback
from collections.abc import Callable
from pathlib import Path

from mypy.plugin import AnalyzeTypeContext, ClassDefContext, FunctionContext, FunctionSigContext
from mypy.types import FunctionLike, Type

from ..compat import mypy_api
from ..reporting.messages import FAILURE


def guard(hook: Callable[[FunctionContext], Type]) -> Callable[[FunctionContext], Type]:
    """Wraps a hook so that an exception becomes a note, and mypy gets its default answer."""

    def guarded(ctx: FunctionContext) -> Type:
        try:
            return hook(ctx)
        except Exception as error:
            return failed(error)(ctx)

    return guarded


def failed(error: Exception) -> Callable[[FunctionContext], Type]:
    """The hook to use when looking one up failed."""

    def answer(ctx: FunctionContext) -> Type:
        mypy_api.note(ctx.api, describe_failure(error), ctx.context)
        return ctx.default_return_type

    return answer


def watch(check: Callable[[FunctionSigContext], None]) -> Callable[[FunctionSigContext], FunctionLike]:
    """The hook that looks at a call, and leaves the signature of what is called as it is."""

    def watched(ctx: FunctionSigContext) -> FunctionLike:
        try:
            check(ctx)
        except Exception as error:
            mypy_api.note(ctx.api, describe_failure(error), ctx.context)
        return ctx.default_signature

    return watched


def guard_marker(check: Callable[[AnalyzeTypeContext, Type], None]) -> Callable[[AnalyzeTypeContext, Type], None]:
    def guarded(ctx: AnalyzeTypeContext, typ: Type) -> None:
        try:
            check(ctx, typ)
        except Exception as error:
            mypy_api.type_note(ctx, describe_failure(error), ctx.context)

    return guarded


def guard_class(hook: Callable[[ClassDefContext], None]) -> Callable[[ClassDefContext], None]:
    def guarded(ctx: ClassDefContext) -> None:
        try:
            hook(ctx)
        except Exception as error:
            mypy_api.semantic_note(ctx.api, describe_failure(error), ctx.cls)

    return guarded


def describe_failure(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"{FAILURE} ({type(error).__name__}: {error}, at {where}); please report it"
