"""static-traced: a traced value is passed where a static one is needed: raises under a trace, or leaks."""

from typing import Final

from mypy.nodes import Expression
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import Instance, Type, get_proper_type

from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..config.settings import Settings
from ..flow.traced.analysis import traced_source
from ..flow.traced.values import Source
from ..judgement.judge import can_be_static
from ..knowledge.type_rows import Trait
from ..libraries import types_with
from ..markers.marker import without_marker
from ..reporting.messages import Message
from ..reporting.positions import STATIC_ARGUMENT, Position
from . import CODES

CODE: Final = CODES["static-traced"]

_NUMBERS: Final = types_with(Trait.NUMBER)

_SAYS: Final = "{position}: it is traced here, because it depends on {source}"
_KNOWN: Final = "compute it from what a trace knows (shapes, static fields, plain numbers)"
_MESSAGES: Final = {
    True: Message(_SAYS, f'make "{{parameter}}" static, or {_KNOWN}'),
    False: Message(_SAYS, _KNOWN),
}


def check_argument(expression: Expression, position: Position, settings: Settings, api: CheckerPluginInterface) -> bool:
    """Reports an argument in a static position if it is or holds a tracer; returns whether it does."""
    source = traced_source(expression, api, settings)
    if source is None or (source.may_be_tree and not _takes_no_tree(position.type)):
        return False
    template = _MESSAGES[_can_be_static(source, settings, api)]
    message = template.fill(position=str(position), source=source.text, parameter=source.parameter or "")
    api.fail(message, expression, code=CODE)
    return True


def _can_be_static(source: Source, settings: Settings, api: CheckerPluginInterface) -> bool:
    """Whether the value comes from a parameter that could be static."""
    if source.parameter is None or source.field is not None or source.is_array or source.declared is None:
        return False
    answer, consulted = can_be_static(source.declared, settings)
    record_dependency(api, consulted)
    return answer


def _takes_no_tree(declared: Type) -> bool:
    """Whether a position takes numbers, not objects that a trace may pass through unchanged, as static ones are."""
    typ = get_proper_type(without_marker(declared))
    return isinstance(typ, Instance) and typ.type.fullname in _NUMBERS


def check_shape(
    ctx: FunctionContext | MethodContext, function: str, parameters: frozenset[str], settings: Settings
) -> Type:
    """Called for calls of functions that take a shape, which has to be static."""
    if not mypy_api.errors_are_hidden(ctx.api):
        number = ctx.api.named_generic_type("builtins.int", [])
        for name, expressions in zip(ctx.callee_arg_names, ctx.args, strict=True):
            shown = "shape" if name in ("args", None) else name
            if name in parameters:
                for expression in expressions:
                    position = Position(expression, STATIC_ARGUMENT, shown, number, function)
                    check_argument(expression, position, settings, ctx.api)
    return ctx.default_return_type
