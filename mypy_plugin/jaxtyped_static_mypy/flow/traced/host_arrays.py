"""What NumPy does with tracers: most functions raise; some call a method of the tracer, and their result is one."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mypy.nodes import ARG_POS, ARG_STAR, CallExpr, Expression, MemberExpr

from ...knowledge.full_names import NUMPY
from ...knowledge.function_rows import NO_ROW, Accepted, Conversion, KnownFunction, New, accepts
from ...knowledge.numpy_functions import GENERATORS, OPTIONS
from ...libraries import known_function
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.scipy_calls import scipy_row
from ...source.self_values import attribute_of_self, values_of_self
from ...syntax.imports import full_name
from ..declared_types import class_in, declared_type
from .values import Entries, Source, Traced, Value, array_from, origin, present

_KINDS: Final = {
    Conversion.HOST_ARRAY: "numpy",
    Conversion.HOST_ONLY: "numpy-only",
    Conversion.NEVER_EQUAL: "never-equal",
}


SCIPY_KIND: Final = "scipy"


class _Passed(NamedTuple):
    """A tracer, or what holds one, that a call passes, and how the function takes it."""

    source: Source
    accepted: Accepted | None


def asked_by_numpy(call: CallExpr, values: Sequence[Value], file: CheckedFile) -> tuple[str, Value] | None:
    """What a call of NumPy asks for its concrete value, and what kind of question it is; None for any other call."""
    row = host_row(call, file)
    if row.converts is Conversion.HOST_FIRST:
        return SCIPY_KIND, _first(call, values)
    if row.converts not in _KINDS:
        return None
    refused = next((passed.source for passed in _passed(call, values, row) if passed.accepted is None), None)
    return _KINDS[row.converts], array_from(refused) if refused is not None else None


def _first(call: CallExpr, values: Sequence[Value]) -> Value:
    """The tracer that the first argument of a call is, or holds."""
    value = values[0] if values and call.arg_kinds[0] is ARG_POS else None
    source = origin(value) if not isinstance(present(value), Entries) else None
    return array_from(source) if source is not None else None


def handed_over(call: CallExpr, values: Sequence[Value], file: CheckedFile) -> Value:
    """The result of a NumPy function that calls a method of its argument."""
    given = _passed(call, values, host_row(call, file))
    source = next((passed.source for passed in given if passed.accepted and passed.accepted.hands_over), None)
    return array_from(source) if source is not None else None


def host_row(call: CallExpr, file: CheckedFile) -> KnownFunction:
    """The row of the function; `np.vectorize(f)(x)` converts its arguments, too."""
    callee = call.callee
    if isinstance(callee, CallExpr):
        made = _numpy_row(callee.callee, file)
        plain = len(callee.args) == 1 or callee.arg_kinds[1:] == [ARG_POS] * 2
        return KnownFunction(converts=Conversion.HOST_ONLY) if made.new is New.FUNCTION and plain else NO_ROW
    return _numpy_row(callee, file)


def _numpy_row(callee: Expression, file: CheckedFile) -> KnownFunction:
    name = _method_of_generator(callee, file) or full_name(callee, file.tree)
    package = name.partition(".")[0]
    return known_function(name) if package == NUMPY else scipy_row(callee, file.tree)


def _method_of_generator(callee: Expression, file: CheckedFile) -> str:
    """The full name of a method of NumPy's random generators; empty for anything else."""
    cls = _generator(callee.expr, file) if isinstance(callee, MemberExpr) else None
    return f"{NUMPY}.random.{cls}.{callee.name}" if isinstance(callee, MemberExpr) and cls is not None else ""


def _generator(node: Expression, file: CheckedFile) -> str | None:
    """The class of a random generator, by its declared type or by what makes it.

    Of an attribute of `self`, what all values that it may have are: one may be another attribute, or the same one.
    """
    pending, followed, found = [node], set[str](), set[str | None]()
    while pending:
        value = pending.pop()
        name = attribute_of_self(value)
        made = _generator_made(value, file)
        if made is not None or name is None or not (values := values_of_self(file, name)):
            found.add(made)
        elif name not in followed:
            followed.add(name)
            pending += values
    return found.pop() if len(found) == 1 else None


def _generator_made(node: Expression, file: CheckedFile) -> str | None:
    info = class_in(declared_type(node))
    if info is not None:
        return GENERATORS.get(info.name) if info.fullname.startswith(f"{NUMPY}.") else None
    made = made_by(node, file)
    name = full_name(made.callee, file.tree) if isinstance(made, CallExpr) else ""
    return GENERATORS.get(name.rpartition(".")[2]) if name.startswith(f"{NUMPY}.") else None


def _passed(call: CallExpr, values: Sequence[Value], row: KnownFunction) -> Iterator[_Passed]:
    for index, (value, name, kind) in enumerate(zip(values, call.arg_names, call.arg_kinds, strict=True)):
        if kind.is_star() and (row.accepts or kind is not ARG_STAR):
            return
        source = origin(value) if not isinstance(present(value), Entries) else None  # NumPy makes one object of a dict
        if source is not None and name not in OPTIONS:
            yield _Passed(source, accepts(row, index, name, is_list=not isinstance(present(value), Traced)))
