"""Which calls ask a parameter for its concrete value, and which compute with it."""

import sys
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, MemberExpr, StrExpr

from ...knowledge.full_names import JAX, KNOWN_PACKAGES, NUMPY, SCIPY
from ...knowledge.function_rows import Conversion, KnownFunction, Result, accepts
from ...knowledge.jax_functions import VALUE_AREAS, jax_function, jax_name
from ...knowledge.members import CONVERTING_METHODS, SPREAD_OF_METHODS, UNAMBIGUOUS_METHODS
from ...knowledge.numpy_functions import OPTIONS, numpy_function
from ...knowledge.python_functions import PYTHON_FUNCTIONS
from ...knowledge.scipy_functions import scipy_function
from ...syntax.arguments import argument, unpacks
from .recording import COUNTED, NOTHING, SHAPE, Origins, Walk, joined

_INTERPOLATED: Final = "{:{}}"  # how mypy parses `f"{x:.2f}"` (2.4.1)
_FORMATTED: Final = 2  # the value, and the format
_OF_NUMPY: Final = {Conversion.HOST_ARRAY: "numpy", Conversion.HOST_ONLY: "numpy-only"}
# Conversions of all arguments, or of the only one, and the kind of use; None: that of the function's own name.
_OF_PYTHON: Final = {
    Conversion.NUMBER: None,
    Conversion.LENGTH: None,
    Conversion.ORDER: None,
    Conversion.TRUTH: None,
    Conversion.INTEGER: "int",
    Conversion.FLOAT: "float",
    Conversion.PYTHON_ONLY: "python-only",
}
_COMPUTING_AREAS: Final = VALUE_AREAS - {"api"}  # of which the types of results are not known here
_OF_ONE: Final = (Conversion.NUMBER, Conversion.TRUTH)
_NOT_OF_PROGRAM: Final = KNOWN_PACKAGES | sys.stdlib_module_names | {NUMPY, SCIPY}


class Passed(NamedTuple):
    """An argument, by the parameters that it is computed from."""

    origins: Origins
    is_held: bool = False  # they are in a list or tuple


def called(call: CallExpr, owner: Origins, passed: Sequence[Passed], walk: Walk) -> Origins:
    """The parameters that the result is computed from. `owner`: those of the object whose method is called."""
    callee = call.callee
    if isinstance(callee, MemberExpr) and isinstance(callee.expr, StrExpr):
        _format(call, callee.expr, passed, walk)
        return NOTHING
    if isinstance(callee, MemberExpr) and owner:
        if callee.name in SPREAD_OF_METHODS and callee.name in UNAMBIGUOUS_METHODS:
            walk.need(SHAPE, joined(one.origins for one in passed))
        walk.need(callee.name, owner if callee.name in CONVERTING_METHODS else NOTHING)
        return owner if callee.name in UNAMBIGUOUS_METHODS else NOTHING
    name = walk.full_name(callee)
    package = name.partition(".")[0]
    if name.startswith(JAX):
        _size(call, name, passed, walk)
        return _of_jax(name, passed)
    if unpacks(call) or not name:
        return NOTHING
    if package == NUMPY:
        return _of_numpy(call, numpy_function(name), passed, walk) if walk.is_from(NUMPY, callee) else NOTHING
    if package == SCIPY:
        is_asked = scipy_function(name).converts is Conversion.HOST_FIRST and walk.is_from(SCIPY, callee)
        walk.need("scipy", passed[0].origins if is_asked and passed and call.arg_names[0] is None else NOTHING)
        return NOTHING
    if (row := PYTHON_FUNCTIONS.get(name)) is not None:
        return _of_python(name, row, passed, walk) if not any(call.arg_names) else NOTHING
    if package not in _NOT_OF_PROGRAM:
        _hand_on(call, name, passed, walk)
    return NOTHING


def _format(call: CallExpr, template: StrExpr, passed: Sequence[Passed], walk: Walk) -> None:
    """`f"{x:.2f}"` needs a number."""
    is_plain = len(passed) != _FORMATTED or (isinstance(call.args[1], StrExpr) and not call.args[1].value)
    if template.value == _INTERPOLATED and not is_plain and not passed[0].is_held:
        walk.need("format", passed[0].origins)


def _size(call: CallExpr, name: str, passed: Sequence[Passed], walk: Walk) -> None:
    """What decides the shape of a result: an argument, which the signature of the function names, or its values."""
    row = jax_function(name)
    if unpacks(call) or (jax_name(name) or "").partition(".")[0] not in VALUE_AREAS:
        return
    if row.shapes and (row.sized_by is None or row.sized_by.option_position >= 0):
        for index, (one, keyword) in enumerate(zip(passed, call.arg_names, strict=True)):
            walk.hand(one.origins, name, index, keyword or "")
    sized_by = row.sized_by
    if sized_by is None or sized_by.position is None:
        return
    if argument(call, sized_by.option_position, sized_by.option) is not None:
        return
    counted = argument(call, sized_by.position, sized_by.name)
    if counted is not None and not (sized_by.alone and len(call.args) > 1):
        walk.need(COUNTED, passed[call.args.index(counted)].origins)


def _of_jax(name: str, passed: Sequence[Passed]) -> Origins:
    """JAX computes a tracer from one."""
    row, short = jax_function(name), jax_name(name) or ""
    computes = short.partition(".")[0] in _COMPUTING_AREAS or row.result is Result.TRACED
    is_value = computes and row.result is not Result.CONCRETE and row.calls is None
    return joined(argument.origins for argument in passed) if is_value else NOTHING


def _of_numpy(call: CallExpr, row: KnownFunction, passed: Sequence[Passed], walk: Walk) -> Origins:
    results = [NOTHING]
    for index, (one, name) in enumerate(zip(passed, call.arg_names, strict=True)):
        how = accepts(row, index, name, is_list=one.is_held)
        if how is None and name not in OPTIONS and row.converts in _OF_NUMPY:
            walk.need(_OF_NUMPY[row.converts], one.origins)
        if how is not None and how.hands_over:
            results.append(one.origins)
    return joined(results)


def _of_python(name: str, row: KnownFunction, passed: Sequence[Passed], walk: Walk) -> Origins:
    asked = joined(_asked(row, passed))
    if row.converts in _OF_PYTHON:
        walk.need(_OF_PYTHON[row.converts] or name.rpartition(".")[2], asked)
    return joined(one.origins for one in passed if not one.is_held) if row.result is Result.TRACED else NOTHING


def _asked(row: KnownFunction, passed: Sequence[Passed]) -> Iterator[Origins]:
    """A list of one item is not compared, and nothing may be made of it."""
    if row.converts in _OF_ONE and len(passed) != 1:
        return
    yield from (one.origins for one in passed if not one.is_held)


def _hand_on(call: CallExpr, name: str, passed: Sequence[Passed], walk: Walk) -> None:
    for index, (one, keyword) in enumerate(zip(passed, call.arg_names, strict=True)):
        if not one.is_held:
            walk.hand(one.origins, name, index, keyword or "")
