"""jit-retrace at a call: a static argument that is another one on each pass of a loop."""

from typing import Final

from mypy.nodes import CallExpr, Context, Expression, FuncDef, MemberExpr, NameExpr
from mypy.types import AnyType, Instance, TupleType, Type, get_proper_type

from ..flow.fresh import reader_at
from ..flow.passes import Changing, ValueKind, changing_by_calls, changing_value, counted_number
from ..flow.passes.advanced import advanced_field
from ..flow.passes.loops import Passes
from ..flow.passes.numbers import is_number
from ..flow.traced.analysis import is_staged
from ..flow.written_leaves import written_leaves
from ..knowledge.type_rows import Trait
from ..libraries import types_with
from ..reach.file_program import is_in_test
from ..reach.runs import is_evaluated_once
from ..reporting.errors import report
from ..reporting.messages import Message
from ..reporting.positions import Position
from ..source.checked_file import CheckedFile
from ..source.surroundings import surroundings
from . import CODES

_CODE: Final = CODES["jit-retrace"]

_TYPES: Final = types_with(Trait.NUMBER) | {"builtins.str"}
_NUMBERS: Final = (ValueKind.INTEGER, ValueKind.NUMBER)
_FLOAT: Final = "builtins.float"
_EACH_PASS: Final = (
    "{position} changes on every {when}, because it depends on {counter}, so JAX recompiles for each value"
)
_AS_DYNAMIC: Final = Message(
    _EACH_PASS, 'make "{parameter}" dynamic, or pass the same value on every pass', kind="changes-each-pass"
)
_CHANGING: Final = {
    ValueKind.INTEGER: _AS_DYNAMIC,
    ValueKind.NUMBER: _AS_DYNAMIC,
    ValueKind.ELEMENT: _AS_DYNAMIC,
    ValueKind.TEXT: Message(_EACH_PASS, "pass the same text on every pass", kind="changes-each-pass"),
    ValueKind.OBJECT: Message(_EACH_PASS, "pass what changes as a separate dynamic argument", kind="changes-each-pass"),
}
_FILTERED: Final = (
    '{what} of "{function}" changes on every pass of this loop, because it depends on {counter}, and '
    "filter_jit makes what is no array static, so JAX recompiles for each value"
)
_AS_ARRAY: Final = Message(
    _FILTERED, "pass it as an array (jnp.asarray(...)), or pass the same value on every pass", kind="no-array-each-pass"
)
# An object may be made of arrays.
_NOT_AN_ARRAY: Final = {
    ValueKind.INTEGER: _AS_ARRAY,
    ValueKind.NUMBER: _AS_ARRAY,
    ValueKind.TEXT: Message(_FILTERED, "pass the same text on every pass", kind="no-array-each-pass"),
}


def check_changing(
    position: Position, expression: Expression, typ: Type, declared: Type | None, call: Context, file: CheckedFile
) -> bool:
    """Reports a static argument that is another one on each pass of a loop; returns whether it is."""
    changing, function = changing_argument(expression, typ, call, file, declared), None
    if changing is None:
        function = surroundings(expression, file).function
        changing = _changing_by_calls(expression, typ, call, file, declared)
    if changing is None:
        changing, function = _counted(expression, typ, call, file), None
    if changing is not None:
        when = f'call of "{function.name}"' if isinstance(function, FuncDef) else "pass of this loop"
        filled = {"position": str(position), "parameter": position.name, "counter": f'"{changing.counter}"'}
        report(file, expression, _CHANGING[changing.kind].fill(when=when, **filled), _CODE)
    return changing is not None


def check_changing_without_array(
    parameter: str, function: str, expression: Expression, typ: Type, call: Context, file: CheckedFile
) -> None:
    """Reports a number or text that is another one on each pass, for a function that traces only arrays.

    Also in a display, or in an object made or edited there: each leaf of a pytree is static by itself.
    """
    type_of = reader_at(file).type_of
    for field, part in written_leaves(expression, file, type_of):
        its_type = typ if part is expression else type_of(part)
        changing = _changing_leaf(part, its_type, call, file)
        if changing is not None:
            what = f'"{field}" of argument "{parameter}"' if field else f'Argument "{parameter}"'
            counter = f'"{changing.counter}"'
            statement = _NOT_AN_ARRAY[changing.kind].fill(what=what, function=function, counter=counter)
            report(file, part, statement, _CODE)


def check_advancing_object(function: str, call: CallExpr, file: CheckedFile) -> None:
    """Reports the same of the object whose method is compiled."""
    holder = call.callee.expr if isinstance(call.callee, MemberExpr) else None
    typ = reader_at(file).type_of(holder) if holder is not None else None
    if holder is not None and typ is not None:
        check_advancing("", function, holder, typ, call, file)


def check_advancing(
    parameter: str, function: str, expression: Expression, typ: Type, call: Context, file: CheckedFile
) -> None:
    """Reports an object with a number of Python that each pass of a loop makes another one of: `state.step + 1`."""
    proper = get_proper_type(typ)
    if not isinstance(expression, NameExpr) or not isinstance(proper, Instance) or not isinstance(call, CallExpr):
        return
    if is_evaluated_once(call.line, file) or is_in_test(call.line, file):
        return
    if is_staged(call, file.api, file.settings):
        return
    field = advanced_field(expression, proper.type, call, file, reader_at(file).type_of)
    if field is not None:
        what = f'"{field}" of argument "{parameter}"' if parameter else f'"{expression.name}.{field}"'
        statement = _AS_ARRAY.fill(what=what, function=function, counter=f'"{expression.name}.{field}"')
        report(file, expression, statement, _CODE)


def changes_without_array(expression: Expression, call: Context, file: CheckedFile) -> bool:
    """Whether a leaf of a function that is compared as a pytree is another number or text on each pass."""
    return _changing_leaf(expression, reader_at(file).type_of(expression), call, file) is not None


def _changing_leaf(leaf: Expression, typ: Type | None, call: Context, file: CheckedFile) -> Changing | None:
    changing = changing_argument(leaf, typ, call, file, counts_runs=True) if typ is not None else None
    return changing if changing is not None and changing.kind in _NOT_AN_ARRAY else None


def changing_argument(
    expression: Expression,
    typ: Type,
    call: Context,
    file: CheckedFile,
    declared: Type | None = None,
    *,
    counts_runs: bool = False,
) -> Changing | None:
    """How what a call gets changes on each pass of a loop; None in a trace and in tests.

    `declared`: the type of the parameter.
    """
    wanted, type_of = get_proper_type(declared), reader_at(file).type_of
    is_fraction = isinstance(wanted, Instance) and wanted.type.fullname == _FLOAT
    changing = changing_value(expression, file, type_of, is_fraction=is_fraction, counts_runs=counts_runs)
    return _if_compiled(changing, expression, typ, call, file)


def _changing_by_calls(
    expression: Expression, typ: Type, call: Context, file: CheckedFile, declared: Type | None
) -> Changing | None:
    """The same on each call of the function around it, by a loop of the file."""
    wanted = get_proper_type(declared)
    is_fraction = isinstance(wanted, Instance) and wanted.type.fullname == _FLOAT
    changing = changing_by_calls(expression, file, reader_at(file).type_of, is_fraction=is_fraction)
    return _if_compiled(changing, expression, typ, call, file)


def _counted(expression: Expression, typ: Type, call: Context, file: CheckedFile) -> Changing | None:
    """A number that counts something in the data of a pass: `int(jnp.sum(mask))`."""
    if not isinstance(call, CallExpr):
        return None
    cause = counted_number(expression, call, file, reader_at(file).type_of)
    found = Changing(ValueKind.ELEMENT, cause, Passes.UNKNOWN) if cause is not None else None
    return _if_compiled(found, expression, typ, call, file)


def _if_compiled(
    changing: Changing | None, expression: Expression, typ: Type, call: Context, file: CheckedFile
) -> Changing | None:
    """What changes, if the code runs outside of traces and tests, and it is what it is computed as."""
    if changing is None or is_evaluated_once(expression.line, file):
        return None
    type_of = reader_at(file).type_of
    is_any = isinstance(get_proper_type(typ), AnyType) and changing.kind in _NUMBERS
    if not (is_number(expression, file, type_of) if is_any else _is_of_kind(typ, changing.kind)):
        return None
    is_run = isinstance(call, CallExpr) and not is_staged(call, file.api, file.settings)
    return changing if is_run and not is_in_test(call.line, file) else None


def _is_of_kind(typ: Type, kind: ValueKind) -> bool:
    """Whether the argument is what it is computed as: not an array, and not unknown."""
    proper = get_proper_type(typ)
    if isinstance(proper, AnyType):
        return kind is ValueKind.ELEMENT
    if isinstance(proper, TupleType):
        return kind is ValueKind.OBJECT
    return isinstance(proper, Instance) and (kind is ValueKind.OBJECT or proper.type.fullname in _TYPES)
