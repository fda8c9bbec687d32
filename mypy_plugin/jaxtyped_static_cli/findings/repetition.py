"""What the whole program shows of how often the function runs that a finding is about: mypy shows one file."""

from collections.abc import Iterable, Iterator
from typing import Final

from jaxtyped_static_mypy.facts.method_facts import MAKING
from jaxtyped_static_mypy.reach import repetition
from jaxtyped_static_mypy.reach.program import Cause, Runs
from jaxtyped_static_mypy.reporting.evidence.repetition import (
    BATCHED,
    EXPERIMENTS,
    REPEATED,
    SHORT,
    USERS,
)
from jaxtyped_static_mypy.reporting.finding import Asked, Evidence, Question
from jaxtyped_static_mypy.reporting.harm import Harm

from .effects import Effect, as_potential
from .made_with import of_several_pytrees
from .places import Place, last_name
from .program import ProgramUses
from .repetition_told import evidence_of, said_of_users, with_evidence
from .running import Running
from .unmade import is_never_made

_OF_JIT_CALLS: Final = frozenset({"jit-bound-method", "jit-retrace"})
_OF_BODIES: Final = frozenset({"jit-branch", "jit-mutation", "static-traced"})
_OF_CACHES: Final = frozenset({"leaks-cache", "leaks-cache-of-arguments"})
EAGERLY: Final = frozenset({Asked.RUNS_EAGERLY, Asked.RUNS_EAGERLY_AGAIN})
_NO_METHOD: Final = frozenset({Asked.NO_METHOD})
_IN_LOOP: Final = frozenset({Asked.RUNS_IN_LOOP})
_AGAIN: Final = frozenset({Asked.RUNS_AGAIN})
_MAX_DEPTH: Final = 4  # of objects in objects
_HARDLY: Final = frozenset({Cause.CALLERS, Cause.LISTED})  # without a loop


def in_program(effects: Iterable[Effect], program: ProgramUses) -> Iterator[Effect]:
    """Effects as the whole program shows them, without those that it shows to be none."""
    for effect in (of_several_pytrees(effect, program) for effect in effects):
        function = _function_around(effect, program)
        if _never_runs(effect, program):
            if not effect.reported.is_asked:
                yield _of_no_harm(effect)
            continue
        if effect.reported.kind in _OF_CACHES and not _is_run_alone(effect, program):
            yield _as_potential(effect)  # what imports the module may fill the cache first
            continue
        if _compiles(effect) and (program.runs.is_traced_around(function) or program.is_in_test(effect.path)):
            continue  # it is a part of what JAX compiles around it, or of a test
        if is_never_made(effect, program):
            if not effect.reported.is_asked:
                yield _as_potential(effect)
            continue
        if _needs_a_call(effect) and (program.runs.is_dead(function) or _is_switched_off(effect, program)):
            if not effect.reported.is_asked:
                yield _as_potential(effect)
            continue
        yield from _as_it_runs(effect, function, program)


def _as_it_runs(effect: Effect, function: str, program: ProgramUses) -> Iterator[Effect]:
    """The effect, if what it is about runs as often as it takes to do harm."""
    if (unknown := _question(effect, _NO_METHOD)) is not None:
        if not program.runs.compiles_method(*_place_of(effect, program), unknown.among[0]):
            return
        effect = _without(effect, unknown)
    if (eager := _question(effect, EAGERLY)) is not None:
        if (shown := _as_shown_eager(effect, eager, program)) is not None:
            yield shown
        return
    if (looped := _question(effect, _IN_LOOP)) is not None:
        if not program.runs.is_traced_around(function) and not program.runs.is_dead(function):
            yield from _in_loop(effect, looped, program)
        return
    asked = _question(effect, _AGAIN)
    running = program.runs.of(asked.cls) if asked is not None else None
    if asked is not None and running is not None:
        if (shown := _as_shown(effect, asked, running, program)) is not None:
            yield shown
        elif running.cause in _HARDLY:
            yield _hardly_again(effect, asked, running, program)
        elif running.cause is Cause.RUNS or (
            not effect.reported.is_asked and (running.is_again or program.runs.is_unused(asked.cls))
        ):
            yield _as_potential(effect)
    elif not effect.reported.is_asked or _is_answered(effect, program):
        yield effect


def _question(effect: Effect, asked: frozenset[Asked]) -> Question | None:
    return next((one for one in effect.reported.questions if one.asked in asked), None)


def _place_of(effect: Effect, program: ProgramUses) -> tuple[str, int]:
    """The module and the line that a finding is in."""
    return program.module_at(effect.diagnostic.span.path), effect.diagnostic.span.line


def _without(effect: Effect, answered: Question) -> Effect:
    """The effect without a question that the program has answered: it is shown if nothing else is asked."""
    questions = tuple(question for question in effect.reported.questions if question is not answered)
    is_asked = effect.reported.is_asked and bool(questions)
    return effect._replace(reported=effect.reported._replace(questions=questions, is_asked=is_asked))


def _compiles(effect: Effect) -> bool:
    """Whether what is wrong is that a jit call compiles again."""
    return effect.reported.harm is Harm.RECOMPILES and effect.reported.code in _OF_JIT_CALLS


def _never_runs(effect: Effect, program: ProgramUses) -> bool:
    """Whether a finding is in code that never runs: it does no harm there, unless the code declares the contract."""
    reported = effect.reported
    if reported.is_signed or reported.harm is Harm.CONTRACT:
        return False
    if reported.harm.is_potential and not reported.questions:
        return False
    return program.never_runs(effect.diagnostic.span.path, effect.diagnostic.span.line)


def _of_no_harm(effect: Effect) -> Effect:
    """The effect as one that no answer of the program makes worse."""
    effect = as_potential(effect, REPEATED)
    return effect._replace(reported=effect.reported._replace(questions=()))


def _needs_a_call(effect: Effect) -> bool:
    """Whether nothing goes wrong unless code calls the function: it compiles again, or its body is at fault."""
    return effect.reported.harm is Harm.RECOMPILES or effect.reported.code in _OF_BODIES


def _is_switched_off(effect: Effect, program: ProgramUses) -> bool:
    """Whether the program never gets to what compiles again: a condition asks for what no call passes."""
    if effect.reported.harm is not Harm.RECOMPILES:
        return False
    switches, function = program.runs.switches, _function_around(effect, program)
    conditions = program.conditions_at(effect.diagnostic.span.path, effect.diagnostic.span.line)
    if switches.are_all_off(function) or any(switches.are_off(*found) for found in conditions):
        return True
    module, line = _place_of(effect, program)
    return _is_optional(module, line, function, program)


def _is_optional(module: str, line: int, function: str, program: ProgramUses, depth: int = _MAX_DEPTH) -> bool:
    """Whether a line runs only if an option is on that is off by default; or all calls of the function around it do."""
    if program.is_optional(module, line):
        return True
    uses = program.runs.uses(function) if function and depth else None
    if uses is None or not uses.is_only_called:
        return False
    calls = [call for call in uses.calls if not program.runs.is_test_module(call.module)]
    places = [(call.module, call.use.line, program.runs.function_around(call) or "") for call in calls]
    return bool(places) and all(_is_optional(*place, program, depth - 1) for place in places)


def _function_around(effect: Effect, program: ProgramUses) -> str:
    """The full name of the function or class that has the code in it which a finding is about; empty if none has."""
    module = program.module_at(effect.diagnostic.span.path)
    return f"{module}.{effect.scope}" if module and effect.scope else ""


def _is_run_alone(effect: Effect, program: ProgramUses) -> bool:
    """Whether no other module of the program imports the one that a finding is in."""
    module = program.module_at(effect.diagnostic.span.path)
    return not module or program.runs.is_run_alone(module)


def _is_answered(effect: Effect, program: ProgramUses) -> bool:
    """Whether the program shows the harm of what does none by itself."""
    questions = [question for question in effect.reported.questions if question.shows is not None]
    return any(program.answers(questions, ()))


def _as_shown(effect: Effect, question: Question, running: Running, program: ProgramUses) -> Effect | None:
    """None if the function does not run again, or only where code uses it that the program does not show."""
    if not running.is_again or running.is_potential:
        return None
    is_for_users = running.function is not None and program.runs.is_left_to_users(running.function)
    if running.cause is Cause.INTERFACE and not is_for_users:
        return None
    if running.cause is Cause.INTERFACE and USERS in question.without:
        return _as_potential(effect)
    if running.cause is Cause.LOOP and all(_makes_parts(place, program) for place in running.places):
        return _as_potential(effect)
    effect = _with_harm(effect, question)
    before = _shown_before(effect, question)
    span = effect.diagnostic.span
    asked = Evidence(question.label, span.path, span.line, "") if effect.reported.is_asked else None
    after = evidence_of(question, running, program, before or asked)
    return with_evidence(effect, before, after) if after is not None else effect


def _makes_parts(place: Place, program: ProgramUses, depth: int = _MAX_DEPTH) -> bool:
    """Whether a loop makes the parts of an object that no other loop makes: each compiles once, as layers do."""
    around = program.runs.function_around(place)
    if around is None or last_name(around) not in MAKING or not depth:
        return False
    making = program.runs.of(around)
    if making is None or not making.is_again or making.cause is not Cause.LOOP:
        return making is not None
    return all(_makes_parts(outer, program, depth - 1) for outer in making.places)


def _hardly_again(effect: Effect, question: Question, running: Running, program: ProgramUses) -> Effect:
    """The effect, which is potential: what no loop runs, for all that the program shows, hardly compiles again."""
    before, after = _shown_before(effect, question), evidence_of(question, running, program, None)
    effect = _as_potential(effect)
    return with_evidence(effect, before, after) if after is not None else effect


def _shown_before(effect: Effect, question: Question) -> Evidence | None:
    return next((shown for shown in effect.reported.evidence if shown.label == question.label), None)


def _with_harm(effect: Effect, question: Question) -> Effect:
    """The effect of what its file takes for a part of whole runs, and the program runs again and again."""
    harm = question.shows if effect.reported.harm.is_potential else None
    return effect._replace(reported=effect.reported._replace(harm=harm)) if harm is not None else effect


def _in_loop(effect: Effect, question: Question, program: ProgramUses) -> Iterator[Effect]:
    """The effect, which counts if a loop runs the function, and is potential if something else does so again."""
    running = program.runs.of(question.cls)
    if running is None or not (running.is_again or running.cause is Cause.RUNS):
        return
    known = effect._replace(reported=effect.reported._replace(is_asked=False))
    counts = running.cause is Cause.LOOP and not _is_of_experiments(question, running, program)
    shown = evidence_of(question, running, program, None) if counts else None
    if shown is None or question.shows is None:
        yield known
        return
    yield with_evidence(known._replace(reported=known.reported._replace(harm=question.shows)), None, shown)


def _is_of_experiments(question: Question, running: Running, program: ProgramUses) -> bool:
    """Whether the function trains, or a loop over experiments runs it, if that matters."""
    if EXPERIMENTS not in question.without:
        return False
    of_experiments = any(map(program.runs.are_experiments, running.places))
    return of_experiments or repetition.is_whole_run(question.cls, program.runs)


def _as_shown_eager(effect: Effect, question: Question, program: ProgramUses) -> Effect | None:
    """None if the program does not show that it runs the function outside of jit, as often as is asked."""
    is_batch_run, is_looped = BATCHED not in question.without, question.asked is Asked.RUNS_EAGERLY
    running = program.runs.eager(question.cls, is_batch_run=is_batch_run)
    if running is not None and running.cause is Cause.RUNS and not (running.is_again or is_looped):
        return _as_potential(effect)
    if running is None or not (running.is_again or is_looped):
        running = program.runs.eager_by_users(question.cls, is_batch_run=is_batch_run, is_looped=is_looped)
        if running is None:
            return None
        if running.cause in (Cause.OFFERED, Cause.INTERFACE):
            return _as_users_run(effect, question, running, program)
        if USERS in question.without:
            return _hardly_again(effect, question, running, program)  # each waits for a run of what he gives
    if running.cause is Cause.TESTED or SHORT in question.without:
        return _hardly_again(effect, question, running, program)
    if question.asked is Asked.RUNS_EAGERLY and _is_part_of_making(question.cls, program):
        return _as_potential(effect)  # the passes of its loop mostly make parts of one object, once
    shown = evidence_of(question, running, program, None)
    if shown is None:
        return effect._replace(reported=effect.reported._replace(is_asked=False))
    return with_evidence(effect, None, shown)


def _as_users_run(effect: Effect, question: Question, running: Running, program: ProgramUses) -> Effect:
    """The effect of a function that only users call, which is potential unless they surely run it outside of jit."""
    is_certain = running.cause is Cause.INTERFACE and not {USERS, SHORT} & set(question.without)
    span, effect = effect.diagnostic.span, effect if is_certain else _as_potential(effect)
    text = said_of_users(question, running, program, is_certain=is_certain)
    return with_evidence(effect, None, Evidence(question.label, span.path, span.line, text))


def _is_part_of_making(function: str, program: ProgramUses) -> bool:
    """Whether nothing but constructors of objects that no loop makes calls a function, outside of traces and tests."""
    runs = program.runs
    often = {call: runs.at(call).runs for call in runs.uses(function).calls}
    around = [runs.function_around(call) for call, found in often.items() if found in (Runs.ONCE, Runs.AGAIN)]
    are_constructors = all(name is not None and last_name(name) in MAKING for name in around)
    return bool(around) and are_constructors and Runs.AGAIN not in often.values()


def _as_potential(effect: Effect) -> Effect:
    """The effect without what its file shows of how often the function runs, which the project does not show."""
    effect = as_potential(effect, REPEATED)
    return effect._replace(reported=effect.reported._replace(is_asked=False))
