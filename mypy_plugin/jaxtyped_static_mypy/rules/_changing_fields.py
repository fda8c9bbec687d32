"""jit-retrace at a call: a pytree whose static field a loop gives another number or text on each pass.

JAX compares static fields with those of the call before, and compiles for each value.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr, NameExpr, TypeInfo
from mypy.types import Instance, Type, get_proper_type

from ..classes import class_model
from ..flow.fresh import reader_at
from ..flow.passes import ValueKind
from ..flow.passes.data import bound_to
from ..flow.weak_leaves import arguments_by_field, class_made
from ..knowledge.full_names import NNX_MODULE
from ..knowledge.function_rows import Effect
from ..libraries import known_function
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..source.surroundings import surroundings
from ..syntax.arguments import unpacks
from ..syntax.imports import full_name
from ..syntax.names import last_name
from . import CODES
from ._changing_arguments import changing_argument
from ._changing_attributes import attributes_set, check_changing_attributes, is_before

_CODE: Final = CODES["jit-retrace"]

_PROBLEM: Final = (
    'The static field "{field}" of "{cls}" changes on every pass of this loop, because it depends on {counter}, so JAX '
    "recompiles what gets the object for each value"
)
_AS_DATA: Final = Message(_PROBLEM, "make it a data field, or set the same value on every pass", kind="field-each-pass")
_OF_FIELD: Final = {
    ValueKind.INTEGER: _AS_DATA,
    ValueKind.NUMBER: _AS_DATA,
    ValueKind.TEXT: Message(_PROBLEM, "set the same text on every pass", kind="field-each-pass"),
}
_COPYING: Final = ("replace", "_replace")


def check_changing_parts(argument: Expression, typ: Type, call: CallExpr, file: CheckedFile) -> None:
    """Reports what the loop around a call gives to static fields, or to attributes of a module, of what it passes."""
    check_changing_attributes(argument, typ, call, file)
    proper = get_proper_type(typ)
    if not surroundings(call, file).repeating or not isinstance(proper, Instance):
        return
    if any(base.fullname == NNX_MODULE for base in proper.type.mro):
        return
    info = proper.type
    static = _static_fields(info, file) if class_model.is_pytree(info) else frozenset()
    for name, value in _fields_set(argument, info, call, file) if static else ():
        own = reader_at(file).type_of(value)
        changing = changing_argument(value, own, call, file) if name in static and own is not None else None
        message = _OF_FIELD.get(changing.kind) if changing is not None else None
        if changing is not None and message is not None:
            statement = message.fill(field=name, cls=info.name, counter=f'"{changing.counter}"')
            report(file, value, statement, _CODE)


def _static_fields(info: TypeInfo, file: CheckedFile) -> frozenset[str]:
    markers = file.settings.static_markers
    return frozenset(field.name for field in class_model.fields(info) if class_model.is_static(field, markers))


def _fields_set(
    argument: Expression, info: TypeInfo, call: CallExpr, file: CheckedFile
) -> Iterator[tuple[str, Expression]]:
    """The fields that the code makes the object with, or sets just before the call, with their values."""
    made = argument
    if isinstance(argument, NameExpr):
        yield from _assigned(argument, call, file)
        bound = bound_to(argument, file)
        is_on_pass = bound is not None and any(loop in bound.loops for loop in surroundings(call, file).repeating)
        made = bound.binding.whole or argument if bound is not None and is_on_pass else argument
    if isinstance(made, CallExpr) and not unpacks(made):
        yield from _passed(made, info, file)


def _passed(made: CallExpr, info: TypeInfo, file: CheckedFile) -> Iterator[tuple[str, Expression]]:
    if class_made(made) is info:
        yield from (arguments_by_field(made, info) or {}).items()
    elif last_name(made.callee) in _COPYING and _copies(made, file):
        pairs = zip(made.arg_names, made.args, strict=True)
        yield from ((name, value) for name, value in pairs if name is not None)


def _copies(call: CallExpr, file: CheckedFile) -> bool:
    """Whether this is `replace` of a library, and no method of the project's own."""
    callee = call.callee
    own = callee.node if isinstance(callee, MemberExpr | NameExpr) else None
    is_known = Effect.COPIES in known_function(full_name(callee, file.tree)).effects
    return is_known or (isinstance(callee, MemberExpr) and own is None and not file.defines(own))


def _assigned(argument: NameExpr, call: CallExpr, file: CheckedFile) -> Iterator[tuple[str, Expression]]:
    """What the loop assigns to attributes of the object just before it makes the call, if nothing else there does."""
    found = list(attributes_set(surroundings(call, file).repeating[0], argument))
    for target, value in found:
        is_only = sum(other.name == target.name for other, _ in found) == 1
        if is_only and is_before(target, call, file):
            yield target.name, value
