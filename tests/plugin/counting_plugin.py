"""The plugin, counting the Python calls that its hooks make for each module: a measure of work without a clock."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from mypy.plugin import ClassDefContext, FunctionContext, MethodContext, Plugin
from mypy.types import Type

from jaxtyped_static_mypy.plugin import JaxtypedStaticPlugin

CALLS: Counter[str] = Counter()
LIMIT = 3_000_000  # for one module; work that doubles with each level would never end

ContextT = TypeVar("ContextT", FunctionContext, MethodContext, ClassDefContext)
ResultT = TypeVar("ResultT")


class TooManyCalls(BaseException):
    """Not an `Exception`: the plugin would report one of those in a note and go on."""


def counted(hook: Callable[[ContextT], ResultT] | None) -> Callable[[ContextT], ResultT] | None:
    if hook is None:
        return None

    def counting(ctx: ContextT) -> ResultT:
        api: Any = ctx.api
        module = api.cur_mod_id if isinstance(ctx, ClassDefContext) else api.tree.fullname

        def count(frame: object, event: str, argument: object) -> None:
            if event == "call":
                CALLS[module] += 1
                if CALLS[module] > LIMIT:
                    raise TooManyCalls(module)

        sys.setprofile(count)
        try:
            return hook(ctx)
        finally:
            sys.setprofile(None)

    return counting


class CountingPlugin(JaxtypedStaticPlugin):
    def get_customize_class_mro_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        return counted(super().get_customize_class_mro_hook(fullname))

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        return counted(super().get_method_hook(fullname))

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return counted(super().get_function_hook(fullname))


def plugin(version: str) -> type[Plugin]:
    return CountingPlugin
