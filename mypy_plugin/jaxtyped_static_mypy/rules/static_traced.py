"""static-traced: a traced value is passed where a static one is needed: raises under a trace, or leaks."""

from typing import Final

from mypy.nodes import BytesExpr, ComplexExpr, Expression, FloatExpr, IntExpr, StrExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import Type

from .. import compat
from ..codes import STATIC_TRACED
from ..config import Settings
from ..tracing import traced_source
from ..tracing.values import Source

_LITERALS: Final = (BytesExpr, ComplexExpr, FloatExpr, IntExpr, StrExpr)


def check_argument(
    expression: Expression, kind: str, name: str, settings: Settings, api: CheckerPluginInterface
) -> bool:
    """Reports an argument in a static position that is a tracer, or holds one; whether it is."""
    source = None if isinstance(expression, _LITERALS) else traced_source(expression, api, settings)
    if source is None:
        return False
    message = f'{kind} "{name}": traced here, as it depends on {source.text}; {_advice(source)}'
    api.fail(message, expression, code=STATIC_TRACED)
    return True


def _advice(source: Source) -> str:
    known = "compute it from what a trace knows (shapes, static fields, plain numbers)"
    return f'mark "{source.parameter}" Static, or {known}' if source.parameter is not None else known


def check_shape(
    ctx: FunctionContext | MethodContext, function: str, parameters: frozenset[str], settings: Settings
) -> Type:
    """Called for a function that takes a shape."""
    if not compat.nobody_reads_errors(ctx.api):
        for name, expressions in zip(ctx.callee_arg_names, ctx.args, strict=True):
            for expression in expressions if name in parameters else ():
                shown = "shape" if name == "args" else name
                check_argument(expression, "Static argument", f'{shown}" of "{function}', settings, ctx.api)
    return ctx.default_return_type
