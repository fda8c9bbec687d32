"""jit-retrace, outside of jit: `lax.scan` and its like compile again for each new function that they are given."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    Argument,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    ListExpr,
    Node,
    TupleExpr,
)
from mypy.types import Instance, get_proper_type

from ..facts.functions.keeping import record_helpers, split_name
from ..flow.traced.analysis import is_staged
from ..knowledge import naming
from ..knowledge.function_rows import EagerFunction
from ..knowledge.type_rows import Trait
from ..libraries import compiled_eagerly, types_with
from ..reach.eager_runs import eager_running, is_called_within, may_run_eagerly
from ..reach.eager_wrappers import handing_function, is_handed_on, where_defined
from ..reach.file_program import is_in_named_set_up, is_in_test
from ..reach.liveness import is_used_up_on_each_call, is_used_up_on_each_pass
from ..reach.own_programs import code_given_to, is_called_with_own_sizes, needs_own_program, runs_given_code
from ..reach.runs import Running, is_evaluated_once
from ..reporting.errors import report
from ..reporting.evidence.repetition import (
    BATCHED,
    SHORT,
    USERS,
    question_of_eager_runs,
    shown_eager_runs,
    shown_loop,
    without_some,
)
from ..reporting.evidence.wording import listed
from ..reporting.finding import Evidence
from ..reporting.harm import Harm
from ..reporting.messages import Message, Statement
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile
from ..source.once import is_once_here
from ..source.passes_apart import are_experiments
from ..source.short_loops import is_for_long_loops
from ..source.surroundings import surroundings
from ..syntax.arguments import argument
from ..syntax.names import dotted_name, last_name
from ..syntax.trees import covers
from . import CODES
from ._new_functions import NewKind, new_function

_CODE: Final = CODES["jit-retrace"]

_NEW: Final = {
    NewKind.LAMBDA: "a new lambda",
    NewKind.NESTED: 'a new "{subject}"',
    NewKind.PARTIAL: "a new {subject}",
    NewKind.TREE_PARTIAL: "a new {subject}",
    NewKind.RESULT: "a new result of {subject}",
    NewKind.OPTIMISER: "a new result of {subject}",
    NewKind.METHOD: 'the bound method "{subject}", a new object each time',
    NewKind.CLASS_METHOD: 'the class method "{subject}", a new object each time',
    NewKind.OBJECT: "a new object of {subject}",
}

_OF_PYTHON: Final = types_with(Trait.PLAIN)
_JIT_AROUND: Final = "make this call in a jitted function at module level, which gets what it reads as arguments"
_ON_PASS: Final = 'Outside of jit, "{callee}" compiles again on every pass of this loop, because {why}'
_ON_CALL: Final = 'Outside of jit, "{callee}" compiles again on every call of "{function}", because {why}'
_EACH_PASS: Final = Message(_ON_PASS, _JIT_AROUND, kind="eager-each-pass")
_EACH_CALL: Final = Message(_ON_CALL, _JIT_AROUND, kind="eager-each-call")
_WITH_CODE: Final = f"{_JIT_AROUND}, with the arrays of {{given}}: what it only calls is compiled in as it was"
_EACH_CALL_OF_CODE: Final = Message(_ON_CALL, _WITH_CODE, kind=_EACH_CALL.kind)
_MOVABLE: Final = "pass it functions defined at module level"
_MOVABLE_EACH_PASS: Final = Message(_ON_PASS, (_MOVABLE, _JIT_AROUND), kind=_EACH_PASS.kind)
_GIVEN: Final = "it gets {label}"
_ALWAYS: Final = "it does so whatever it is given"
_RETURNS: Final = "it returns a new function each time"


class _Body(NamedTuple):
    """A function that is another one each time, or a call that compiles each time."""

    why: str
    made: Node  # what makes it
    can_move: bool = False  # to module level as it is


class _Eager(NamedTuple):
    """A call that may run outside of jit, and where it stands."""

    call: CallExpr
    row: EagerFunction
    body: _Body
    loop: Node | None  # the innermost around what makes the body, if the call stands in it and all passes take one
    is_apart: bool  # each of the runs has a program of its own anyway
    is_long: bool  # a short loop has a branch of its own, so that the call may never run


def check_eager_call(call: CallExpr, file: CheckedFile, fullname: str) -> None:
    """Reports `lax.scan(lambda ...)` and its like in code that runs again and again, and that nothing traces."""
    row = compiled_eagerly(fullname) or handing_function(fullname, file.modules)
    if row is None or _runs_once(call, file) or not is_handed_on(fullname, file):
        return
    if row.makes and not _is_used_up(call, file):
        return
    body = _Body(_RETURNS if row.makes else _ALWAYS, call) if row.is_always else _new_body_of(call, row, file)
    record_helpers(file.api, {*file.helpers, split_name(where_defined(fullname, file.modules), file.modules)[0]})
    if body is None or is_staged(call, file.api, file.settings):
        return
    eager = _placed(call, row, body, file)
    is_run = eager_running(file, call, not row.chooses) is not None
    found = eager_running(file, body.made, not row.chooses) if is_run else None
    if found is not None and found.is_again:
        _report(eager, found, file)
    else:
        _ask(eager, file)


def _placed(call: CallExpr, row: EagerFunction, body: _Body, file: CheckedFile) -> _Eager:
    place, around = surroundings(call, file), surroundings(body.made, file)
    is_set_up = is_in_named_set_up(call, file) and are_experiments(place.around)
    is_of_pass = body.made is not call and needs_own_program(body.made, file)
    is_apart = is_set_up or is_of_pass or is_called_with_own_sizes(body.made, [call], file)
    is_looped = bool(around.repeating) and around.repeating[0] in place.repeating and not is_apart
    loop = around.repeating[0] if is_looped else None
    return _Eager(call, row, body, loop, is_apart, is_for_long_loops(place.around))


def _report(eager: _Eager, found: Running, file: CheckedFile) -> None:
    """The file shows that it runs again and again."""
    call, body = eager.call, eager.body
    is_looped = found.function is None
    harm = Harm.POTENTIAL if eager.is_long or (eager.is_apart and is_looped) else None
    evidence = _shown(eager.loop, call, file) if is_looped else shown_eager_runs(found, body.made, file)
    report(file, call, _statement(call, body, file, is_looped=is_looped), _CODE, evidence=evidence, harm=harm)


def _ask(eager: _Eager, file: CheckedFile) -> None:
    """The command looks for what runs it in other modules."""
    call, body, is_looped = eager.call, eager.body, eager.loop is not None
    outer = surroundings(body.made, file).function
    if not isinstance(outer, FuncDef) or not may_run_eagerly(outer, file) or not is_called_within(call, outer, file):
        return
    is_run = naming.loops(last_name(call.callee)) and runs_given_code(outer, file)
    question = question_of_eager_runs(outer, file, is_looped=is_looped)
    question = without_some(question, BATCHED * eager.row.chooses, SHORT * eager.is_long, USERS * is_run)
    statement, shown = _statement(call, body, file, is_looped=is_looped), _shown(eager.loop, call, file)
    report(file, call, statement, _CODE, evidence=shown, questions=[question], is_asked=True)


def _is_used_up(call: CallExpr, file: CheckedFile) -> bool:
    """Whether the function that a call returns, or that it decorates, is called as often as it is made."""
    parent = surroundings(call, file).parent
    site = surroundings(parent if isinstance(parent, Decorator) else call, file)
    return (is_used_up_on_each_pass if site.repeating else is_used_up_on_each_call)(site, file)


def _shown(loop: Node | None, call: CallExpr, file: CheckedFile) -> Iterable[Evidence]:
    return shown_loop(loop, call, file) if loop is not None else ()


def _runs_once(call: CallExpr, file: CheckedFile) -> bool:
    return is_in_test(call.line, file) or is_once_here(call, file) or is_evaluated_once(call.line, file)


def _new_body_of(call: CallExpr, row: EagerFunction, file: CheckedFile) -> _Body | None:
    """That of the innermost loop; it can move if all others can."""
    found = list(_new_bodies(call, row, file))
    innermost = max(found, key=lambda body: len(surroundings(body.made, file).loops), default=None)
    return innermost._replace(can_move=all(body.can_move for body in found)) if innermost is not None else None


def _new_bodies(call: CallExpr, row: EagerFunction, file: CheckedFile) -> Iterator[_Body]:
    for index, name in row.bodies:
        given = argument(call, index, name)
        made = made_by(given, file) if given is not None else None
        items = made.items if isinstance(made, (ListExpr, TupleExpr)) else [given]
        if len(items) == 1 and items[0] is not given:
            continue  # the only branch of a `switch` is called as it is
        for item in items:
            body = _new_body(item, row, file) if item is not None else None
            if body is not None and _is_made_around(body.made, call, file):
                yield body._replace(made=_made_for(body.made, call, file))


def _made_for(made: Node, call: CallExpr, file: CheckedFile) -> Node:
    """What makes all that one call gets: of `switch(i, [step(k) for k in ks], x)`, the loop that makes the branches."""
    around = surroundings(call, file).around
    return next((loop for loop in reversed(surroundings(made, file).loops) if loop not in around), made)


def _is_made_around(made: Node, call: CallExpr, file: CheckedFile) -> bool:
    """Whether a function around the call makes it, or the code of the module that has the call."""
    function = surroundings(made, file).function
    return function is None or covers(function, call.line)


def _new_body(expression: Expression, row: EagerFunction, file: CheckedFile) -> _Body | None:
    found = new_function(expression, file, is_compared=row.is_compared)
    if found is None:
        return None
    label = _NEW[found.kind].format(subject=found.subject)
    return _Body(_GIVEN.format(label=label), found.made, can_move=found.can_move(file))


def _is_of_python(parameter: Argument) -> bool:
    """Whether a parameter gets a number or text, by its declared type: it has no arrays."""
    typ = get_proper_type(parameter.variable.type)
    return isinstance(typ, Instance) and typ.type.fullname in _OF_PYTHON


def _statement(call: CallExpr, body: _Body, file: CheckedFile, *, is_looped: bool) -> Statement:
    callee = dotted_name(call.callee) or "the call"
    # A lambda that runs where it stands is a part of the function around it.
    function = next((node for node in surroundings(body.made, file).around[1:] if isinstance(node, FuncDef)), None)
    if is_looped or function is None:
        message = _MOVABLE_EACH_PASS if body.can_move else _EACH_PASS
        return message.fill(callee=callee, why=body.why)
    numbers = {parameter.variable.name for parameter in function.arguments if _is_of_python(parameter)}
    names = [name for name in code_given_to(call, function, file) if name not in numbers]
    if names and not body.can_move:
        given = listed(f'"{name}"' for name in names)
        return _EACH_CALL_OF_CODE.fill(callee=callee, function=function.name, why=body.why, given=given)
    return _EACH_CALL.fill(callee=callee, function=function.name, why=body.why)
