"""static-traced: a traced value is passed where a static one is needed: raises under a trace, or leaks."""

from typing import Final

from mypy.nodes import Expression
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import Instance, Type, get_proper_type

from .. import compat
from ..codes import STATIC_TRACED
from ..config import Settings
from ..markers import marked
from ..reporting import Position
from ..tracing import traced_source
from ..tracing.values import Source

_NUMBERS: Final = frozenset({"builtins.int", "builtins.float", "builtins.bool", "builtins.complex"})


def check_argument(expression: Expression, position: Position, settings: Settings, api: CheckerPluginInterface) -> bool:
    """Reports an argument in a static position that is a tracer, or holds one; whether it is."""
    source = traced_source(expression, api, settings)
    if source is None or (source.may_be_tree and not _takes_no_tree(position.type)):
        return False
    message = f'{position.kind} "{position.name}": traced here, as it depends on {source.text}; {_advice(source)}'
    api.fail(message, expression, code=STATIC_TRACED)
    return True


def _takes_no_tree(declared: Type) -> bool:
    """A number, and not an object that may come through a trace unchanged, as those of static classes do."""
    typ = get_proper_type(marked(declared))
    return isinstance(typ, Instance) and typ.type.fullname in _NUMBERS


def _advice(source: Source) -> str:
    known = "compute it from what a trace knows (shapes, static fields, plain numbers)"
    return f'mark "{source.parameter}" Static, or {known}' if source.parameter is not None else known


def check_shape(
    ctx: FunctionContext | MethodContext, function: str, parameters: frozenset[str], settings: Settings
) -> Type:
    """Called for a function that takes a shape."""
    if not compat.nobody_reads_errors(ctx.api):
        number = ctx.api.named_generic_type("builtins.int", [])
        for name, expressions in zip(ctx.callee_arg_names, ctx.args, strict=True):
            shown = "shape" if name == "args" else name
            for expression in expressions if name in parameters else ():
                position = Position(expression, "Static argument", f'{shown}" of "{function}', number)
                check_argument(expression, position, settings, ctx.api)
    return ctx.default_return_type
