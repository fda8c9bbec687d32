"""A plugin with the fault that the harness must find: it judges classes of other modules and records no dependency.

Passing a value to a function called `keep` is an error if the value, or anything in its fields, is a dataclass that is
not frozen. Passing the text "crash" makes the plugin crash.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.errorcodes import ErrorCode
from mypy.nodes import TypeInfo, Var
from mypy.plugin import FunctionContext, Plugin
from mypy.types import Instance, Type, get_proper_type

TOY_MUTABLE = ErrorCode("toy-mutable", "A value that can change was passed to keep()", "Toy")


class StalePlugin(Plugin):
    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return _check_arguments if fullname.rpartition(".")[2] == "keep" else None


def _check_arguments(context: FunctionContext) -> Type:
    for argument in context.arg_types[0]:
        assert str(argument) != "Literal['crash']?", "asked to crash"
        if (offender := _offender(argument)) is not None:
            context.api.fail(f"{offender.name} is not frozen", context.context, code=TOY_MUTABLE)
    return context.default_return_type


def _offender(value: Type) -> TypeInfo | None:
    proper = get_proper_type(value)
    if not isinstance(proper, Instance):
        return None
    fields = proper.type.metadata.get("dataclass")
    if fields is not None and not fields["frozen"]:
        return proper.type
    variables = (symbol.node for symbol in proper.type.names.values())
    inner = (_offender(node.type) for node in variables if isinstance(node, Var) and node.type is not None)
    return next(filter(None, inner), None)


def plugin(version: str) -> type[Plugin]:
    return StalePlugin
