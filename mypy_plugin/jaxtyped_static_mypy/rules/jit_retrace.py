"""jit-retrace: a fresh function is jitted on every execution: the cache never hits."""

from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    Decorator,
    FuncDef,
    FuncItem,
    MemberExpr,
    Node,
)

from ..facts.functions.keeping import record_helpers
from ..flow.fresh.captures import PASS, holds_restored, passing_captures
from ..flow.traced.analysis import is_staged
from ..jit.application import JitCall, compiler_called
from ..reach.file_program import is_in_test
from ..reach.liveness import (
    is_used_up_on_each_call,
    is_used_up_on_each_pass,
    never_leaves,
    place_of,
    serves_each_call,
    serves_pass,
)
from ..reach.own_programs import makes_run
from ..reach.program import Cause
from ..reach.runs import is_evaluated_once, running
from ..reporting.actions import Action, Alternative
from ..reporting.errors import report
from ..reporting.evidence.making import question_of_dropped
from ..reporting.evidence.repetition import (
    USERS,
    harm_of_running,
    question_of_repetition,
    shown_loop,
    shown_repetition,
)
from ..reporting.harm import Harm
from ..reporting.messages import Message, Statement
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile
from ..source.once import is_once_here
from ..source.surroundings import Surroundings, surroundings
from ..syntax.names import dotted_name, is_self
from ..syntax.trees import covers
from . import CODES
from ._handing_on import hands_on
from ._jitted_below import jitted_below
from ._looped_calls import is_of_one_pass, is_wasted, report_looped, report_looped_results
from ._new_functions import NewKind, new_function, new_function_captured, new_in_tree
from ._unknown_methods import ask_of_method
from ._used_up_results import class_made, is_known, report_used_up, shows

CODE: Final = CODES["jit-retrace"]

_A_LAMBDA: Final = "a lambda"
_NEW: Final = {
    NewKind.LAMBDA: _A_LAMBDA,
    NewKind.NESTED: '"{subject}"',
    NewKind.PARTIAL: "{subject}",
    NewKind.TREE_PARTIAL: "{subject}",
    NewKind.RESULT: "the result of {subject}",
    NewKind.OPTIMISER: "the result of {subject}",
    NewKind.METHOD: 'the bound method "{subject}"',
    NewKind.CLASS_METHOD: 'the class method "{subject}"',
    NewKind.OBJECT: "a callable object of {subject}",
}


# What jit compiles without a jit around the transformation, it keeps (JAX 0.10.2).
_DROP: Final = 'leave out this jit: "{jitted}" is jitted already'
_AT_MODULE_LEVEL: Final = Alternative(
    "{jit} a function defined at module level{same}{captured}",
    Action.MAKE_AT_MODULE_LEVEL,
    only_if=(("captured", ""),),
)
_IN_FUNCTION: Final = Message(
    '{fresh} is created on each call of "{function}", so JAX recompiles on each call',
    (
        _AT_MODULE_LEVEL,
        "keep what {jit} returns{each} ({where})",
    ),
    kind="new-each-call",
)
_OF_NEW_FUNCTIONS: Final = Message(
    _IN_FUNCTION.problem,
    "keep what {jit} returns, for each {new} that it captures ({where})",
    kind=_IN_FUNCTION.kind,
)
_OF_METHOD: Final = Message(
    _IN_FUNCTION.problem,
    (
        "keep what {jit} returns, for each {new} that it captures ({where}), if nothing changes that",
        "{jit} a function defined at module level, and pass what the method reads of {new} as arguments",
    ),
    kind=_IN_FUNCTION.kind,
)
_EACH: Final = ", for each value that it captures"  # which it compiles in
_BY_CACHE: Final = "behind functools.cache"
_BY_OBJECT: Final = f"on self or {_BY_CACHE}"
_JITTED_IN_FUNCTION: Final = Message(_IN_FUNCTION.problem, _DROP, kind=_IN_FUNCTION.kind)
_IN_LAMBDA: Final = Message(
    "{fresh} is created on each call of the lambda around it, so JAX recompiles on each call",
    "{jit} it outside the lambda",
    kind="new-in-lambda",
)
_JITTED_IN_LAMBDA: Final = Message(_IN_LAMBDA.problem, _DROP, kind=_IN_LAMBDA.kind)
_IN_LOOP: Final = Message(
    "This loop creates {fresh} on every pass, so JAX recompiles on every pass",
    Alternative(
        "{jit} one function before the loop{same}, and pass what varies as an argument",
        Action.JIT_BEFORE_LOOP,
        only_if=(("fresh", _A_LAMBDA),),
    ),
    kind="new-each-pass",
)
_JITTED_IN_LOOP: Final = Message(_IN_LOOP.problem, _DROP, kind=_IN_LOOP.kind)
_WITH_OBJECT: Final = Message(
    '{fresh} is created with each "{cls}", so JAX recompiles for each of them',
    (
        _AT_MODULE_LEVEL,
        'make one "{cls}", and use it again',
    ),
    kind="new-with-object",
)
_READ: Final = ', and pass what "{method}" reads of "self" as arguments'
_MAPPED: Final = {"jit": "pmap", "same": ", with the same arguments"}
_JITTED: Final = {"jit": "jit", "same": ""}


class _Fresh(NamedTuple):
    """A function that is new each time: what messages call it, and the node that makes it."""

    label: str
    made: Node
    is_method: bool = False
    is_of_setup: bool = False  # what users of a library mostly do once: `jit(optimiser.init)(params)`
    jitted: str = ""  # the compiled function that it transforms, if that is all it does

    @property
    def function(self) -> Node:
        return self.made.func if isinstance(self.made, Decorator) else self.made


def check_retrace(call: JitCall) -> None:
    """Reports a jit call or decorator that compiles again in each iteration of a loop or call of a function."""
    node, file = call.context, call.file
    fresh = _fresh(call)
    record_helpers(file.api, file.helpers)
    if fresh is None or fresh.is_method:
        ask_of_method(CODE, call, _of_method)
    if fresh is None or not isinstance(node, Node):
        return
    if is_once_here(node, file) or is_evaluated_once(node.line, file) or is_in_test(node.line, file):
        return
    harm = Harm.POTENTIAL if hands_on(fresh.made, node) else None
    repeated = _repeated(place_of(node, file), fresh, file)
    if repeated is not None:
        if not (isinstance(node, CallExpr) and is_staged(node, file.api, file.settings)):
            harm = Harm.POTENTIAL if is_of_one_pass(node, repeated, fresh.function, file) else harm
            _report(node, _statement(fresh, repeated, call), repeated, fresh, file, harm)
    elif _is_looped(node, fresh, file):
        function = surroundings(node, file).function
        if isinstance(function, FuncDef):
            harm = Harm.POTENTIAL if holds_restored(fresh.made, function, file) else harm
            report_looped(CODE, node, _statement(fresh, function, call), node, file, harm)
    else:
        _check_result(call, node, fresh, harm)


def _of_method(method: MemberExpr, maker: FuncDef, file: CheckedFile) -> Statement:
    """The same of a bound method, of which each access makes another object; compiled, it keeps what it read."""
    name = dotted_name(method) or method.name
    label, owner = _NEW[NewKind.METHOD].format(subject=name), name.rpartition(".")[0]
    where = _BY_OBJECT if _has_object(maker, file) else _BY_CACHE
    return _OF_METHOD.fill(fresh=label, function=maker.name, new=f'"{owner}"', where=where, **_JITTED)


def _is_looped(node: Node, fresh: _Fresh, file: CheckedFile) -> bool:
    """Whether a function compiles another, calls it in a loop of its own, and drops it."""
    place = place_of(node, file)
    function = place.function
    if not isinstance(function, FuncDef) or fresh.is_method or place.repeating or not covers(function, fresh.made.line):
        return False
    is_traced = isinstance(node, CallExpr) and is_staged(node, file.api, file.settings)
    return not is_traced and never_leaves(place, file)


def _check_result(call: JitCall, node: Node, fresh: _Fresh, harm: Harm | None) -> None:
    """Reports what a function compiles and returns, if code that runs again and again only calls it, and drops it."""
    file, maker = call.file, surroundings(node, call.file).function
    if not isinstance(maker, FuncDef) or not covers(maker, fresh.made.line):
        return
    cls = class_made(maker)
    if fresh.is_method and not (cls and isinstance(fresh.made, MemberExpr) and is_self(fresh.made.expr)):
        return
    statement = _with_object(fresh, cls, call) if cls else _statement(fresh, maker, call)
    if report_used_up(CODE, node, maker, statement, file, harm):
        return
    if not fresh.is_method and report_looped_results(CODE, node, maker, statement, file, harm):
        return
    if cls and harm is None and serves_each_call(node, maker, file):
        questions = [question_of_dropped(maker.info)]
        report(file, node, statement, CODE, questions=questions, harm=Harm.POTENTIAL, is_asked=True)


def _with_object(fresh: _Fresh, cls: str, call: JitCall) -> Statement:
    words = _MAPPED if call.row.maps else _JITTED
    captured = passing_captures(fresh.made, call.file)
    if fresh.is_method and isinstance(fresh.made, MemberExpr):
        captured = _READ.format(method=fresh.made.name)
    return _WITH_OBJECT.fill(fresh=fresh.label, cls=cls, captured=captured, **words)


def _fresh(call: JitCall) -> _Fresh | None:
    node, expression, file = call.context, call.expression, call.file
    if isinstance(node, Decorator):
        is_nested = not node.func.info and node not in file.tree.defs
        return _Fresh(f'"{node.func.name}"', node) if is_nested else None
    made = made_by(expression, file)
    while isinstance(made, CallExpr) and _compiles(made, file):
        if made is not expression or not made.args:
            return None  # checked as a jit call itself
        expression = made.args[0]  # `pmap(jit(f))`, of which the outer call is used
        made = made_by(expression, file)
    found = new_function(made, file, is_compared=call.row.finds_equal)
    if found is not None and call.row.filters:
        found = new_in_tree(found, file)
    if found is None:
        return None
    jitted = jitted_below(call.expression, file) if not call.row.maps else ""
    label = _NEW[found.kind].format(subject=found.subject)
    is_of_setup = found.kind is NewKind.OPTIMISER
    return _Fresh(label, found.made, found.kind is NewKind.METHOD, is_of_setup, jitted)


def _compiles(call: CallExpr, file: CheckedFile) -> bool:
    row = compiler_called(call, file)
    return row is not None and row.compiles


def _repeated(place: Surroundings, fresh: _Fresh, file: CheckedFile) -> Node | None:
    """The loop or enclosing function that makes and compiles the function repeatedly; None if there is none."""
    if place.repeating and place.repeating[0] in surroundings(fresh.made, file).loops:
        is_used_up = place.is_called or is_used_up_on_each_pass(place, file)
        is_used_up = is_used_up or (is_wasted(place, fresh.made, file) and serves_pass(place, file))
        return place.repeating[0] if is_used_up else None
    function = place.function
    if function is None or fresh.is_method or not covers(function, fresh.made.line):
        return None
    if not is_used_up_on_each_call(place, file):
        return None
    found = running(file, function)
    return function if found.is_again or found.is_open else None


def _report(
    node: Node, statement: Statement, repeated: Node, fresh: _Fresh, file: CheckedFile, harm: Harm | None
) -> None:
    found = running(file, repeated) if isinstance(repeated, FuncItem) else None
    if found is None:  # a loop, which the message names
        report(file, node, statement, CODE, evidence=shown_loop(repeated, node, file), harm=harm)
        return
    evidence = shown_repetition(found, node, file)
    is_run = isinstance(repeated, FuncDef) and (fresh.is_of_setup or makes_run(fresh.made, repeated, file))
    questions = question_of_repetition(found, node, file, shows(harm), without=(USERS,) if is_run else ())
    harm = Harm.POTENTIAL if is_run and found.cause is Cause.INTERFACE else harm
    is_asked, harm = not is_known(found), harm_of_running(found, harm)
    report(file, node, statement, CODE, evidence=evidence, questions=questions, harm=harm, is_asked=is_asked)


def _has_object(function: FuncDef, file: CheckedFile) -> bool:
    """Whether a function is a method, or in one."""
    return any(isinstance(node, FuncDef) and bool(node.info) for node in surroundings(function, file).around)


def _statement(fresh: _Fresh, repeated: Node, call: JitCall) -> Statement:
    words = _MAPPED if call.row.maps else _JITTED
    if isinstance(repeated, FuncDef):
        new = "" if fresh.jitted else new_function_captured(fresh.made, call.file)
        message = _JITTED_IN_FUNCTION if fresh.jitted else _OF_NEW_FUNCTIONS if new else _IN_FUNCTION
        captured = passing_captures(fresh.made, call.file)
        return message.fill(
            fresh=fresh.label,
            function=repeated.name,
            captured=captured,
            jitted=fresh.jitted,
            new=new,
            each=_EACH if PASS in captured else "",
            where=_BY_OBJECT if _has_object(repeated, call.file) else _BY_CACHE,
            **words,
        )
    if isinstance(repeated, FuncItem):
        message = _JITTED_IN_LAMBDA if fresh.jitted else _IN_LAMBDA
    else:
        message = _JITTED_IN_LOOP if fresh.jitted else _IN_LOOP
    return message.fill(fresh=fresh.label, jitted=fresh.jitted, **words)
