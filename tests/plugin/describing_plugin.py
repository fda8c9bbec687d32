"""The plugin, which also describes how each function of the file being checked reaches JAX."""

from __future__ import annotations

from collections.abc import Callable

from mypy.nodes import FuncItem, LambdaExpr
from mypy.plugin import FunctionContext, Plugin
from mypy.types import Type

from jaxtyped_static_mypy.config.settings import Settings
from jaxtyped_static_mypy.plugin import JaxtypedStaticPlugin
from jaxtyped_static_mypy.reach.description import FunctionReach, reach_of
from jaxtyped_static_mypy.source.checked_file import checked_file

DESCRIBED: dict[str, str] = {}  # by the name of the function


def described(reach: FunctionReach) -> str:
    """One line: what traces the function, its parameters, its layers and calls, and how often it runs."""
    tracing = sorted({traced.transformation or "jit" for traced in reach.traced})
    handed = " ".join([*tracing, *["callback"] * reach.uses.is_callback]) or "not handed over"
    kinds = ", ".join(f"{variable.name} {kind.name.lower()}" for variable, kind in reach.parameters.items())
    layers = " ".join(layer.function.rpartition(".")[2] for layer in reach.layers) or "no layers"
    calls = len([use for use in reach.uses.likely if use.call is not None])
    return f"{handed}; {kinds}; {layers}; {calls} calls; runs {reach.runs.name.lower()}"


class DescribingPlugin(JaxtypedStaticPlugin):
    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return describe if fullname == "program.describe" else super().get_function_hook(fullname)


def describe(ctx: FunctionContext) -> Type:
    """Called for `describe()` in a program."""
    file = checked_file(ctx.api, Settings())
    for node in file.nodes:
        if isinstance(node, FuncItem):
            name = "a lambda" if isinstance(node, LambdaExpr) else node.name
            DESCRIBED[name] = described(reach_of(file, node))
    return ctx.default_return_type


def plugin(version: str) -> type[Plugin]:
    return DescribingPlugin
