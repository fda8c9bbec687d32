"""jit-argnames, and static-traced: an `in_axes` that does not fit the call, or maps what is static. Both raise."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mypy.errorcodes import ErrorCode
from mypy.nodes import (
    CallExpr,
    Decorator,
    DictExpr,
    Expression,
    FloatExpr,
    FuncDef,
    IntExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    SymbolNode,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
)

from ..flow.handed_functions import is_defined_again
from ..flow.written_values import written_value
from ..knowledge.dimensions import MAKING_KEYS, REDUCING_ALL
from ..knowledge.function_rows import Receives
from ..knowledge.jax_functions import jax_name
from ..libraries import known_function
from ..reach.description import reach_of
from ..reporting.errors import report
from ..reporting.messages import Message, Statement
from ..source.bindings import innermost, made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.expected import is_error_expected
from ..source.parameters import parameters
from ..source.self_values import attribute_of_self, values_of_self
from ..syntax.arguments import argument, keyword_argument, unpacks
from ..syntax.imports import full_name
from ..syntax.literals import is_none
from ..syntax.names import dotted_name
from ..syntax.partials import is_partial, partial_function
from . import CODES

_MAPPED: Final = frozenset({Receives.IN_AXES, Receives.NOT_BROADCAST})
_OPTION: Final = "in_axes"

_WRONG_COUNT: Final = Message(
    "in_axes has {listed} for the {given} of this call, so it raises",
    "give in_axes one entry for each positional argument, None for what is not mapped",
    kind="axes-of-call",
)
_TOO_MANY: Final = Message(
    'in_axes has {listed}, and "{function}" takes at most {given}, so every call raises',
    "give in_axes one entry for each positional argument, None for what is not mapped",
    kind="axes-of-function",
)
_STATIC: Final = Message(
    '"{parameter}" is static in "{function}", and this axis maps it, so every call raises',
    "give it the axis None, or take it off the static list",
    kind="mapped-static",
)


_NO_AXIS: Final = Message(
    "{subject} has no axis that vmap could map, so this call raises",
    "give it the axis None: in_axes=(0, None)",
    kind="no-axis",
)
_NO_TUPLE: Final = Message(
    "in_axes is {given} here, so this call raises",
    "write a number, None, or a tuple with one entry for each positional argument",
    kind="axes-given",
)
_ALL_NONE: Final = Message(
    "in_axes maps no argument of this call, so it raises",
    "give what is mapped its axis, or pass axis_size=",
    kind="no-axes-of-call",
)


class _Fault(NamedTuple):
    place: Expression
    statement: Statement
    code: ErrorCode


def check_mapped_axes(file: CheckedFile) -> bool:
    """Reports all of a file, and says if there is any: no type decides, and no hook is called for some of them."""
    for fault in _faults(file):
        report(file, fault.place, fault.statement, fault.code)
    return bool(_faults(file))


@once_per_file
def _faults(file: CheckedFile) -> tuple[_Fault, ...]:
    return tuple(fault for call in file.calls for check in _CHECKS for fault in check(call, file))


def _of_call(call: CallExpr, file: CheckedFile) -> Iterator[_Fault]:
    """`vmap(f, in_axes=(0, None))(a, b, c)`, also where a name or an attribute holds what `vmap` returns."""
    if unpacks(call):
        return
    is_layer = isinstance(call.callee, NameExpr) and isinstance(call.callee.node, Decorator)
    made = [
        _axes(mapping, file) if isinstance(mapping, CallExpr) and is_partial(mapping) is is_layer else None
        for mapping in _made(call.callee, file)
    ]
    counts = {len(axes) for axes in made if axes is not None}
    given = sum(name is None for name in call.arg_names)
    if None in made or len(counts) != 1 or given in counts or is_error_expected(call, file):
        return
    listed = _counted(counts.pop(), "entry", "entries")
    arguments = _counted(given, "argument", "arguments")
    place = call if isinstance(call.callee, (MemberExpr, NameExpr)) else _place(call.callee, call)
    yield _Fault(place, _WRONG_COUNT.fill(listed=listed, given=arguments), CODES["jit-argnames"])


def _made(callee: Expression, file: CheckedFile) -> Sequence[Expression]:
    """What makes the function that is called; all that an attribute of `self` is assigned."""
    attribute = attribute_of_self(callee)
    if attribute is not None:
        return values_of_self(file, attribute)
    if isinstance(callee, NameExpr) and isinstance(callee.node, Decorator):
        function, layers = callee.node.func, callee.node.original_decorators
        is_one = len(layers) == 1 and file.functions_named.get(function.name) == [function]
        return (layers[0],) if is_one and file.defines(function) else ()
    return (innermost(callee, file, _compiled),) if isinstance(callee, (CallExpr, NameExpr)) else ()


def _compiled(node: Expression) -> Expression | None:
    """The `f` of `jax.jit(f)`."""
    name = node.callee.fullname if isinstance(node, CallExpr) and isinstance(node.callee, RefExpr) else ""
    compiles = known_function(name).compiles
    is_jit = isinstance(node, CallExpr) and compiles is not None and compiles.keeps_signature
    return node.args[0] if is_jit and isinstance(node, CallExpr) and node.args else None


def _of_function(call: CallExpr, file: CheckedFile) -> Iterator[_Fault]:
    axes = _axes(call, file) if not is_partial(call) else None
    named = _named(call.args[0]) if axes and call.args else None
    function = named.func if isinstance(named, Decorator) else named
    if axes is None or not isinstance(function, (FuncDef, LambdaExpr)) or is_error_expected(call, file):
        return
    name = dotted_name(call.args[0]) or "this lambda"
    if isinstance(function, FuncDef) and is_defined_again(function, name, file):
        return
    if not isinstance(named, Decorator) and not any(kind.is_star() for kind in function.arg_kinds):
        taken = sum(kind.is_positional() for kind in function.arg_kinds)
        if taken < len(axes) and not _is_called(call, file):
            listed, most = _counted(len(axes), "entry", "entries"), _counted(taken, "argument", "arguments")
            yield _Fault(call, _TOO_MANY.fill(listed=listed, function=name, given=most), CODES["jit-argnames"])
    outer = file.calls_by_callee.get(call)
    if outer is not None and any(_of_call(outer, file)):
        return  # which axis each argument has is not known then
    for axis, parameter in _static_and_mapped(axes, function, file):
        yield _Fault(axis, _STATIC.fill(parameter=parameter, function=name), CODES["static-traced"])


def _static_and_mapped(
    axes: list[Expression], function: FuncDef | LambdaExpr, file: CheckedFile
) -> Iterator[tuple[Expression, str]]:
    """The axes of parameters that the jit which decorates a function makes static."""
    traces = reach_of(file, function).transformations
    if len(traces) != 1 or traces[0].transformation is not None or not traces[0].others_are_static:
        return
    found = [parameter for parameter in parameters(function) if parameter.position is not None]
    by_position = {parameter.position: parameter for parameter in found}
    for position, axis in enumerate(axes):
        parameter = by_position.get(position)
        if parameter is not None and _is_number(axis) and not traces[0].traces(position, parameter.name):
            yield axis, parameter.name


def _of_arguments(call: CallExpr, file: CheckedFile) -> Iterator[_Fault]:
    """`vmap(f)(xs, 2.0)`: a number or a text where an axis is mapped. Keywords always are (JAX 0.10.2)."""
    mapping = made_by(call.callee, file) if isinstance(call.callee, (CallExpr, NameExpr)) else None
    is_mapping = isinstance(mapping, CallExpr) and _receives(mapping, file) is Receives.IN_AXES
    if not isinstance(mapping, CallExpr) or not is_mapping or unpacks(mapping) or unpacks(call):
        return
    axes = _option(mapping)
    for index, (given, name) in enumerate(zip(call.args, call.arg_names, strict=True)):
        subject = _without_axis(written_value(given, file), file)
        if subject is not None and (name is not None or _is_mapped(axes, index)) and not is_error_expected(call, file):
            yield _Fault(given, _NO_AXIS.fill(subject=subject), CODES["jit-argnames"])


def _of_option(call: CallExpr, file: CheckedFile) -> Iterator[_Fault]:
    """`vmap(f, in_axes={"x": 0})`, which raises, and `vmap(f, in_axes=(None, None))(x, y)`. Keywords are mapped."""
    if _receives(call, file) is not Receives.IN_AXES or unpacks(call) or is_error_expected(call, file):
        return
    axes = _option(call)
    if isinstance(axes, (DictExpr, StrExpr)):
        given = "a dict" if isinstance(axes, DictExpr) else "a text"
        yield _Fault(axes, _NO_TUPLE.fill(given=given), CODES["jit-argnames"])
    outer = file.calls_by_callee.get(call) if not is_partial(call) else None
    is_positional = outer is not None and not unpacks(outer) and not any(outer.arg_names)
    if axes is not None and is_positional and _maps_nothing(axes) and keyword_argument(call, "axis_size") is None:
        yield _Fault(axes, _ALL_NONE.fill(), CODES["jit-argnames"])


def _maps_nothing(axes: Expression) -> bool:
    if isinstance(axes, (TupleExpr, ListExpr)):
        return bool(axes.items) and all(map(_maps_nothing, axes.items))
    return is_none(axes)


_CHECKS: Final = (_of_call, _of_function, _of_arguments, _of_option)


def _is_mapped(axes: Expression | None, index: int) -> bool:
    """Whether a positional argument has an axis, as far as the call of `vmap` shows."""
    if isinstance(axes, (TupleExpr, ListExpr)):
        return index < len(axes.items) and _is_number(axes.items[index])
    return axes is None or _is_number(axes)


def _without_axis(node: Expression, file: CheckedFile) -> str | None:
    """What an argument is that has no axis, as it is written."""
    if isinstance(node, CallExpr) and len(node.args) == 1 and not unpacks(node):
        name = full_name(node.callee, file.tree)
        is_key = jax_name(name) in MAKING_KEYS
        is_one = jax_name(name) in REDUCING_ALL and node.arg_names == [None]
        return "A key" if is_key else "A number" if is_one else None
    if isinstance(node, StrExpr):
        return "A text"
    number = node.expr if isinstance(node, UnaryExpr) else node
    is_bool = isinstance(number, NameExpr) and number.fullname in ("builtins.True", "builtins.False")
    return "A number" if is_bool or isinstance(number, (IntExpr, FloatExpr)) else None


def _option(call: CallExpr) -> Expression | None:
    return keyword_argument(call, _OPTION) if is_partial(call) else argument(call, 1, _OPTION)


def _receives(call: CallExpr, file: CheckedFile) -> Receives | None:
    """How `vmap(f)`, or `partial(vmap, in_axes=0)`, passes tracers."""
    mapping = partial_function(call) or call.callee
    calls = known_function(full_name(mapping, file.tree)).calls
    return calls.receives if calls is not None else None


def _axes(call: CallExpr, file: CheckedFile) -> list[Expression] | None:
    """The entries of the tuple that a call of `vmap` or `pmap` gets; None of any other, or if an entry is unpacked."""
    if _receives(call, file) not in _MAPPED or unpacks(call):
        return None
    given = _option(call)
    axes = given.items if isinstance(given, (TupleExpr, ListExpr)) else None
    return axes if axes is not None and all(isinstance(axis, _PLAIN) for axis in axes) else None


_PLAIN: Final = (IntExpr, UnaryExpr, NameExpr, MemberExpr, TupleExpr, ListExpr)


def _named(node: Expression) -> SymbolNode | LambdaExpr | None:
    """The function that a name means, or a static method or plain function of a class: `Policy.act`."""
    if isinstance(node, LambdaExpr):
        return node
    owner = node.expr.node if isinstance(node, MemberExpr) and isinstance(node.expr, RefExpr) else None
    if isinstance(node, MemberExpr) and isinstance(owner, TypeInfo):
        symbol = owner.names.get(node.name)
        found = symbol.node if symbol is not None else None
        function = found.func if isinstance(found, Decorator) else found
        return found if isinstance(function, FuncDef) and not function.is_class else None
    return node.node if isinstance(node, NameExpr) else None


def _is_called(call: CallExpr, file: CheckedFile) -> bool:
    return call in file.calls_by_callee


def _is_number(axis: Expression) -> bool:
    return isinstance(axis.expr if isinstance(axis, UnaryExpr) else axis, IntExpr)


def _place(callee: Expression, call: CallExpr) -> Expression:
    return _option(callee) or call if isinstance(callee, CallExpr) else call


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
