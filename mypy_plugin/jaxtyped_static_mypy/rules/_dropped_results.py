"""jit-mutation: a statement that drops what a pure function returns, so that it does nothing."""

from pathlib import PurePath
from typing import Final

from mypy.nodes import CallExpr, Expression, ExpressionStmt, FuncDef, FuncItem, LambdaExpr, MemberExpr, WithStmt

from ..flow.only_returning import only_returns, own_method
from ..knowledge import naming
from ..knowledge.jax_functions import jax_name
from ..knowledge.pure_functions import CHECKS, CHECKS_OF_EACH, PURE, PURE_METHODS
from ..reach.file_program import is_in_test
from ..reach.roots import roots_of
from ..reporting.actions import CHECK_DROPPED, RESULT_DROPPED
from ..reporting.errors import report
from ..reporting.finding import INHERITED, Asked, Question
from ..reporting.messages import Message, Statement
from ..source.checked_file import CheckedFile, once_per_file
from ..source.expected import is_error_expected
from ..source.functions import functions_around
from ..source.surroundings import surroundings
from ..syntax.changes import written
from ..syntax.imports import full_name
from ..syntax.names import is_self, last_name
from ..syntax.trees import nodes_below
from . import CODES

_CODE: Final = CODES["jit-mutation"]
_CLOCK: Final = "time."

_DROPPED: Final = Message(
    '"{written}(...)" changes nothing: it only returns a result, which this statement drops',
    "use what it returns",
    kind=RESULT_DROPPED,
)
_CHECK_DROPPED: Final = Message(
    '"{written}(...)" tests nothing: the result is dropped, so an assert is missing',
    "write assert {checked}",
    kind=CHECK_DROPPED,
)


def check_dropped_results(file: CheckedFile) -> bool:
    """Reports all of a file, and says if there is any: no type decides, and no hook is called for some of them."""
    for call, name in _dropped(file):
        report(file, call, _statement(call, name, file), _CODE)
    for call, method in _own_dropped(file):
        question = Question(Asked.INHERITED, method.info.fullname, INHERITED, "")
        name = written(call.callee).lstrip(".")
        report(file, call, _DROPPED.fill(written=name), _CODE, questions=[question])
    return bool(_dropped(file) or _own_dropped(file))


def _statement(call: CallExpr, written: str, file: CheckedFile) -> Statement:
    """What is wrong: in a test, an assert is missing, unless JAX traces the code, which has none."""
    first = _first(call)
    name = jax_name(full_name(first.callee, file.tree))
    is_traced = any(node in roots_of(file) for node in surroundings(call, file).around if isinstance(node, FuncItem))
    if name not in CHECKS or is_traced or not (is_in_test(call.line, file) or _is_beside_tests(file)):
        return _DROPPED.fill(written=written)
    behind = f".{last_name(call.callee)}()" if first is not call else ".all()" if name in CHECKS_OF_EACH else ""
    return _CHECK_DROPPED.fill(written=written, checked=f"{written}(...){behind}")


def _is_beside_tests(file: CheckedFile) -> bool:
    """Whether a file stands in a folder of tests, although its own name does not say so."""
    path = PurePath(file.tree.path)
    return naming.is_test_module(f"{path.parent.name}.{path.stem}")


@once_per_file
def _own_dropped(file: CheckedFile) -> tuple[tuple[CallExpr, FuncDef], ...]:
    """The calls of methods of the same object that only return something, with the method."""
    statements = (node.expr for node in file.by_kind.of(ExpressionStmt))
    found = ((call, _own_method(call, file)) for call in statements if isinstance(call, CallExpr) and call.args)
    return tuple(
        (call, method)
        for call, method in found
        if method is not None and only_returns(file, method) and not _is_tried(call, file)
        if method.name not in _names_handed_on(file)
    )


@once_per_file
def _names_handed_on(file: CheckedFile) -> frozenset[str]:
    """The methods that the file hands to JAX, or to others: it may call one of them to try it out, or to warm it up."""
    called = {call.callee for call in file.calls}
    return frozenset(node.name for node in file.by_kind.of(MemberExpr) if node not in called)


def _own_method(call: CallExpr, file: CheckedFile) -> FuncDef | None:
    callee = call.callee
    if not isinstance(callee, MemberExpr) or not is_self(callee.expr):
        return None
    return own_method(callee, surroundings(call, file).function, file)


def _is_tried(call: CallExpr, file: CheckedFile) -> bool:
    """Whether a call is there to see what it raises or how long it takes."""
    return is_error_expected(call, file) or is_in_test(call.line, file) or _measures(call, file)


@once_per_file
def _dropped(file: CheckedFile) -> tuple[tuple[CallExpr, str], ...]:
    """The calls, and how each is written."""
    statements = (node.expr for node in file.by_kind.of(ExpressionStmt))
    calls = (call for call in statements if (isinstance(call, CallExpr) and call.args) or _is_method(call))
    return tuple(
        (call, written(_first(call).callee).lstrip("."))
        for call in calls
        if isinstance(call, CallExpr) and not _is_meant(call, file)
    )


def _is_method(call: Expression) -> bool:
    return isinstance(call, CallExpr) and isinstance(call.callee, MemberExpr) and call.callee.name in PURE_METHODS


def _first(call: CallExpr) -> CallExpr:
    """The call of the function in `jnp.isclose(a, b).all()`."""
    while _is_method(call) and isinstance(call.callee, MemberExpr) and isinstance(call.callee.expr, CallExpr):
        call = call.callee.expr
    return call


def _is_meant(call: CallExpr, file: CheckedFile) -> bool:
    """Whether a statement is there to show, to try out or to measure something, or calls what does more than return.

    A session shows what a statement of the module gives.
    """
    first = _first(call)
    name = jax_name(full_name(first.callee, file.tree)) or ""
    if name not in PURE or "out" in first.arg_names or is_error_expected(call, file):
        return True
    place = surroundings(call, file)
    if (place.function is None and place.block is None) or isinstance(place.function, LambdaExpr):
        return True
    if name in CHECKS:
        return False
    is_in_with = any(isinstance(node, WithStmt) for node in place.around)
    return is_in_with or is_in_test(call.line, file) or _measures(call, file)


def _measures(call: CallExpr, file: CheckedFile) -> bool:
    """Whether a function around a call reads the clock, or is a benchmark or a warm-up by its name."""
    functions = [part for part in surroundings(call, file).around if isinstance(part, FuncItem)]
    if any(naming.measures(function.node.name) for function in functions_around(call.line, file)):
        return True
    nodes = (node for function in functions for node in nodes_below(function) if isinstance(node, CallExpr))
    return any(full_name(node.callee, file.tree).startswith(_CLOCK) for node in nodes)
