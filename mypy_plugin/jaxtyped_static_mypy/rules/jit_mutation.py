"""jit-mutation: a change that nobody sees, or an assignment that keeps a tracer."""

from collections.abc import Iterator, Mapping
from typing import Final

from mypy.nodes import Expression, TypeInfo

from ..classes import class_model
from ..classes.copying import changed_copy
from ..classes.signing import is_signed_class
from ..compat.dependencies import record_dependency
from ..flow.changes import (
    Mutation,
    Outcome,
    advanced_iterators,
    drawn_numbers,
    find_mutations,
    lost_assignments,
    refused_assignments,
    removed_callbacks,
)
from ..flow.kept_arguments import kept_arguments
from ..flow.kept_state import kept_of_modules, kept_state
from ..flow.kept_state.reads import Read
from ..flow.traced.values import Value, first_origin
from ..reporting.errors import report
from ..reporting.evidence.changes import KEEPS
from ..reporting.evidence.wording import CHANGED, listed
from ..reporting.finding import Asked, Question
from ..reporting.harm import Harm
from ..reporting.messages import Message, Statement
from ..source.checked_file import CheckedFile
from ..source.nested_functions import Functions
from ..syntax.changes import ChangeKind
from . import CODES
from ._body import Body, BodyError
from ._counted_values import counted_values
from ._dropped_copies import in_body
from ._refusals import refusal, refusal_of_method

CODE: Final = CODES["jit-mutation"]

_DROPPED: Final = Message(
    '"{written}" changes a copy: {tracer} calls {function} with a new "{owner}" built from the traced leaves, so the '
    "caller's object does not change",
    "return {copy}",
    kind="dropped",
)
_LEAKS: Final = Message(
    '"{written}" runs only once per compilation, and leaks a tracer into {owner}, which outlives the trace of '
    "{function} under {tracer}",
    "return the value, and store it after the call",
    kind="leaks",
)
_ENDS: Final = Message(
    '"{written}" leaks a tracer into {owner}: once {tracer} has run {function}, JAX raises where the tracer is used',
    _LEAKS.advice,
    kind="leaks-uncompiled",
)
# Of several, which one statement assigns.
_ALL_DROPPED: Final = Message(_DROPPED.problem.replace("changes", "change", 1), _DROPPED.advice, kind="all-dropped")
_ALL_LEAK: Final = Message(
    '"{written}" run only once per compilation, and leak tracers into {owner}, which outlives the trace of {function} '
    "under {tracer}",
    "return the values, and store them after the call",
    kind="all-leak",
)
_ALL_END: Final = Message(
    '"{written}" leak tracers into {owner}: once {tracer} has run {function}, JAX raises where they are used',
    _ALL_LEAK.advice,
    kind="all-leak-uncompiled",
)
_LEAKING: Final = {  # by whether it is compiled, and by whether there are several
    (True, False): _LEAKS,
    (True, True): _ALL_LEAK,
    (False, False): _ENDS,
    (False, True): _ALL_END,
}
_CACHE: Final = Message(
    '{function} caches an array in "{written}", and traced code calls it: the first trace leaves a tracer there, which '
    "the next one uses",
    ("compute it with NumPy", "fill it before the first trace", "remove the cache"),
    kind="leaks-cache",
)
_CACHE_OF_ARGUMENTS: Final = Message(
    _CACHE.problem, ("pass it on instead of keeping it", "remove the cache"), kind="leaks-cache-of-arguments"
)
_NOT_LIFTED: Final = Message(
    _DROPPED.problem, ("use {library}.{tracer}", "return the state of the object"), kind="not-lifted"
)
_ANOTHER_TRACE: Final = Message(
    '"{written}" changes {owner}, which {function} captures: {library} refuses that in any other trace than the one '
    "that made the object, so every call raises",
    "pass it as an argument, and use {library}.{tracer}",
    kind="another-trace",
)
_LIFTED: Final = Message(
    '"{written}" takes {owner}, which {function} captures: {library} refuses that in any other trace than the one '
    "that made the object, so every call raises",
    _ANOTHER_TRACE.advice,
    kind="lifted-in-another-trace",
)
_ADVANCED: Final = Message(
    '"{called}" runs only once per compilation: until {tracer} compiles {function} again, all of its calls get '
    "the same item",
    "take the item before the call, and pass it as an argument",
    kind="advanced-once",
)
_DRAWN: Final = Message(
    '"{called}(...)" runs only once per compilation: until {tracer} compiles {function} again, all of its calls get '
    "the same numbers",
    "use jax.random, with a key that is passed as an argument",
    kind="drawn-once",
)
_DRAWN_BY_CALL: Final = Message(
    '"{called}(...)" returns numbers of "{by}", and runs only once per compilation: until {tracer} compiles {function} '
    "again, all of its calls get the same numbers",
    "draw them before the call, and pass them as an argument",
    kind="drawn-by-call",
)
_TIMED: Final = Message(
    '"{called}(...)" runs only once per compilation: until {tracer} compiles {function} again, all of its calls get '
    "the same time",
    "read the clock before the call, and pass the time as an argument",
    kind="timed-once",
)
_REMOVED: Final = Message(
    '"{called}(...)" does not run: {tracer} compiles {function} without a callback whose result is not used',
    ("use jax.debug.callback", "use what it returns"),
    kind="callback-removed",
)
_KEPT: Final = Message(
    '{function} keeps the value that "{variable}" has when {tracer} compiles it, and line {line} gives it another '
    "one between its calls, which it does not see",
    'pass "{variable}" as an argument',
    kind="keeps-variable",
)
_KEPT_OF_MODULE: Final = Message(
    _KEPT.problem.replace("line {line}", "another module"), _KEPT.advice, kind="keeps-variable-of-module"
)
_KEPT_ARGUMENT: Final = Message(
    '"{method}" makes {function} once and keeps it in "{kept}", with the "{variable}" of that call: later calls with '
    "another one do not see theirs",
    ('pass "{variable}" as an argument', 'keep one function for each "{variable}"'),
    kind="keeps-argument",
)
_LOST: Final = Message(
    'The {kind} "{method}" assigns "{written}" on a pytree: jit, vmap and tree.map make a copy of the object, so the '
    "assignment is lost{leak}",
    "set it when the object is made, or return {copy}",
    kind="lost",
)
_AND_LEAKS: Final = ", and an object that a trace captures keeps a tracer"


def check_body(body: Body) -> Iterator[BodyError]:
    functions = body.functions()
    mutations = list(_mutations(functions))
    yield from mutations
    yield from counted_values(functions, {error.context.line for error in mutations})
    yield from _advanced(functions)
    yield from _drawn(functions, body.analysis.arguments)
    yield from _removed(functions)
    yield from _kept(functions)
    yield from in_body(body)
    body.consulted.update(functions.consulted)


def _mutations(functions: Functions) -> Iterator[BodyError]:
    """Yields at most one error per line, about all that one statement does to one object."""
    by_line: dict[int, list[Mutation]] = {}
    for found in find_mutations(functions):
        by_line.setdefault(found.context.line, []).append(found)
    for first, *others in by_line.values():
        alike = [other for other in others if other._replace(written=first.written) == first]
        yield BodyError(first.context, _statement(first, alike), CODE)


def _advanced(functions: Functions) -> Iterator[BodyError]:
    for advanced in advanced_iterators(functions):
        called, root = f"next({advanced.iterator})", advanced.root
        yield BodyError(advanced.call, _ADVANCED.fill(called=called, tracer=root.tracer, function=root.name), CODE)


def _drawn(functions: Functions, given: Mapping[Expression, Value]) -> Iterator[BodyError]:
    for drawn in drawn_numbers(functions):
        if not drawn.by and first_origin(given.get(argument) for argument in drawn.call.args) is not None:
            continue  # `jit-branch` reports what gets tracers
        message = _TIMED if drawn.is_time else _DRAWN
        called, tracer, function = drawn.called, drawn.root.tracer, drawn.root.name
        if drawn.by:
            statement = _DRAWN_BY_CALL.fill(called=called, by=drawn.by, tracer=tracer, function=function)
        else:
            statement = message.fill(called=called, tracer=tracer, function=function)
        harm = Harm.POTENTIAL if drawn.is_for_one_call else None
        yield BodyError(drawn.call, statement, CODE, harm=harm)


def _removed(functions: Functions) -> Iterator[BodyError]:
    for removed in removed_callbacks(functions):
        root = removed.root
        statement = _REMOVED.fill(called=removed.called, tracer=root.tracer, function=root.name)
        yield BodyError(removed.call, statement, CODE)


def _kept(functions: Functions) -> Iterator[BodyError]:
    found = list(kept_state(functions))
    for kept in found:
        line = str(kept.changed.line)
        statement = _KEPT.fill(function=kept.root.name, variable=kept.written, line=line, tracer="jit")
        yield BodyError(kept.read.node, statement, CODE)
    yield from _kept_of_modules(functions, [kept.read for kept in found])
    yield from _kept_arguments(functions)


def _kept_of_modules(functions: Functions, found: list[Read]) -> Iterator[BodyError]:
    """`found`: what the file itself shows to change."""
    for shared in kept_of_modules(functions, found):
        asked = Question(
            Asked.REBOUND,
            shared.variable,
            CHANGED,
            KEEPS,
            (shared.path,),
            Harm.WRONG,
            compiled=shared.compiled,
            keys=shared.keys,
        )
        statement = _KEPT_OF_MODULE.fill(function=shared.root.name, variable=shared.read.slot.written, tracer="jit")
        yield BodyError(shared.read.node, statement, CODE, questions=(asked,))


def _kept_arguments(functions: Functions) -> Iterator[BodyError]:
    for argument in kept_arguments(functions):
        variable, harm = argument.read.name, Harm.POTENTIAL if argument.is_optional else None
        statement = _KEPT_ARGUMENT.fill(
            method=argument.method, function=argument.root.name, kept=argument.kept, variable=variable
        )
        yield BodyError(argument.read, statement, CODE, harm=harm)


def _statement(found: Mutation, alike: list[Mutation]) -> Statement:
    """`alike`: what else the same statement does to the same object."""
    tracer, function = found.root.tracer, found.root.name
    if found.outcome is Outcome.REFUSED and found.changed is not None:
        return refusal(found.written, found.owner, function, found.changed)
    if found.cached_by:
        cache = _CACHE_OF_ARGUMENTS if found.is_of_arguments else _CACHE  # the same for all that call it
        return cache.fill(function=found.cached_by, written=found.written)
    if found.library:
        captured = _LIFTED if found.kind is ChangeKind.LIFTED else _ANOTHER_TRACE
        message = _NOT_LIFTED if found.outcome is Outcome.DROPPED else captured
        owner = found.owner if found.outcome is Outcome.DROPPED else f'"{found.owner}"'
        return message.fill(written=found.written, tracer=tracer, function=function, owner=owner, library=found.library)
    written = list(dict.fromkeys(part.written for part in (found, *alike)))
    all_written, are_several = _joined(written), len(written) > 1
    if found.outcome is Outcome.DROPPED:
        copy = (
            changed_copy(found.owner, found.changed) if found.kind is ChangeKind.ATTRIBUTE else "the changed container"
        )
        message = _ALL_DROPPED if are_several else _DROPPED
        return message.fill(written=all_written, tracer=tracer, function=function, owner=found.owner, copy=copy)
    kept = "the static argument " if found.outcome is Outcome.LEAKS_STATIC else ""
    message = _LEAKING[found.is_compiled, are_several]
    return message.fill(written=all_written, tracer=tracer, function=function, owner=f'{kept}"{found.owner}"')


def _joined(written: list[str]) -> str:
    """`self.a", "self.b" and "self.c`, between quotes."""
    return listed(f'"{target}"' for target in written)[1:-1]


def check_class(info: TypeInfo, file: CheckedFile) -> None:
    """Reports each method of a pytree class that assigns to `self`, once: lost in a copy, or refused."""
    if not class_model.is_pytree(info):
        return
    for refused in refused_assignments(info, file):
        said = refusal_of_method(refused.written[0], refused.owner, refused.method, info)
        report(file, refused.context, said, CODE)
    for lost in lost_assignments(info, file):
        kind = "property" if lost.is_property else "method"
        copy = changed_copy(lost.owner, info)
        leak = _AND_LEAKS if lost.leaks else ""
        message = _LOST.fill(kind=kind, method=lost.method, written=_joined(list(lost.written)), leak=leak, copy=copy)
        harm = None if lost.is_used or is_signed_class(info, file.settings) else Harm.POTENTIAL
        report(file, lost.context, message, CODE, harm=harm)
    record_dependency(file.api, class_model.user_bases(info))
