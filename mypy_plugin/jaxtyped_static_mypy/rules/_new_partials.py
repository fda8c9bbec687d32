"""jit-retrace at a call: a `jax.tree_util.Partial` of a function that is new on each pass of a loop, or on each call.

JAX traces what a Partial binds, and compares its function, by identity, as a part of the structure of the argument.
"""

from typing import Final

from mypy.nodes import CallExpr, Expression, FuncDef, Node

from ..flow.traced.analysis import is_staged
from ..reach.file_program import is_in_test
from ..reach.runs import is_evaluated_once, running
from ..reporting.errors import report
from ..reporting.evidence.repetition import shown_loop, shown_repetition
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..source.once import is_once_here
from ..source.surroundings import surroundings
from ..syntax.names import dotted_name
from ..syntax.trees import covers
from . import CODES
from ._new_functions import NewFunction, NewKind, new_function

_CODE: Final = CODES["jit-retrace"]
_PROBLEM: Final = (
    'Argument "{parameter}" is a "{partial}" of a function that is another one {when}: JAX compares it by identity, '
    "and recompiles"
)
_NEW_IN_PARTIAL: Final = Message(
    _PROBLEM, "make it of a function defined at module level, and bind what varies", kind="new-in-partial"
)
_EACH_PASS: Final = "on every pass of this loop"
_EACH_CALL: Final = 'on each call of "{function}"'


def check_new_in_partial(parameter: str, argument: Expression, call: CallExpr, file: CheckedFile) -> None:
    """Reports a traced argument, in code that runs again and again, as far as the file shows."""
    partial = new_function(argument, file, is_compared=True)
    if partial is None or partial.kind is not NewKind.TREE_PARTIAL or not isinstance(partial.made, CallExpr):
        return
    function = new_function(partial.made.args[0], file, is_compared=True) if partial.made.args else None
    if function is None or is_staged(call, file.api, file.settings) or _runs_once(call, file):
        return
    repeated = _repeated(function, call, file)
    if repeated is None:
        return
    when = _EACH_CALL.format(function=repeated.name) if isinstance(repeated, FuncDef) else _EACH_PASS
    name = dotted_name(partial.made.callee) or "Partial"
    statement = _NEW_IN_PARTIAL.fill(parameter=parameter, partial=name, when=when)
    found = running(file, repeated) if isinstance(repeated, FuncDef) else None
    evidence = shown_repetition(found, call, file) if found is not None else shown_loop(repeated, call, file)
    report(file, argument, statement, _CODE, evidence=evidence)


def _runs_once(call: CallExpr, file: CheckedFile) -> bool:
    return is_in_test(call.line, file) or is_once_here(call, file) or is_evaluated_once(call.line, file)


def _repeated(function: NewFunction, call: CallExpr, file: CheckedFile) -> Node | None:
    """The loop that makes the function and calls what gets it, or the function that does, if the file repeats it."""
    place, made = surroundings(call, file), surroundings(function.made, file)
    if place.repeating:
        return place.repeating[0] if place.repeating[0] in made.loops else None
    outer = place.function
    if not isinstance(outer, FuncDef) or not covers(outer, function.made.line):
        return None
    return outer if running(file, outer).is_again else None
