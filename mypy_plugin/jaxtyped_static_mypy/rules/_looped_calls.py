"""jit-retrace where one compilation serves the passes of a loop, and another loop around that compiles it again.

A run that follows gradients takes far longer than to compile it, and nobody minds a compilation for each of several
experiments. But what is a part of a run compiles in each part, and what looks at a model while that is trained, too.
"""

from collections.abc import Iterable
from typing import Final

from mypy.errorcodes import ErrorCode
from mypy.nodes import CallExpr, FuncDef, FuncItem, Node

from ..knowledge import naming
from ..reach.file_program import is_in_test
from ..reach.liveness import is_used_up_on_each_pass, results_serving_loops
from ..reach.lives import VALUE, life_of
from ..reach.own_programs import is_called_with_own_sizes, needs_own_program
from ..reach.program import Cause
from ..reach.runs import (
    Running,
    are_parts_of_run,
    is_evaluated_once,
    is_of_experiments,
    is_of_whole_runs,
    is_whole_run,
    running,
    trains_from_start,
)
from ..reporting.errors import report
from ..reporting.evidence.repetition import question_of_loops, shown_loop, shown_repetition
from ..reporting.finding import Evidence
from ..reporting.harm import Harm
from ..reporting.messages import Statement
from ..source.checked_file import CheckedFile
from ..source.made_alike import makes_alike
from ..source.once import is_once_here
from ..source.passes_apart import are_named_experiments
from ..source.passes_apart import are_parts_of_run as are_parts
from ..source.scipy_calls import calls_back
from ..source.surroundings import Surroundings, surroundings
from ..syntax.names import function_of
from ._used_up_results import class_made, dropped, is_known

_NOTHING: Final[tuple[Evidence, ...]] = ()


def is_in_run(place: Surroundings) -> bool:
    """Whether the innermost loop around a place goes over the parts of one run, by its names."""
    return bool(place.repeating) and place.loops[0] is place.repeating[0] and are_parts(place.around)


def is_wasted(place: Surroundings, made: Node, file: CheckedFile) -> bool:
    """Whether passes that compile for a loop of their own wait in vain: parts of one run, or all with the same code."""
    return is_in_run(place) or makes_alike(made, place.repeating[0], file)


def is_of_one_pass(node: Node, repeated: Node, made: Node, file: CheckedFile) -> bool:
    """Whether each pass of a loop calls what it compiles for a whole run: `train = jax.jit(make_train(config))`.

    Or makes other code, or code for another size, so that all of it has to compile; or is an experiment with a loop.
    `made`: what makes the function that is compiled.
    """
    place, function = surroundings(node, file), _made_with(made)
    calls = life_of(file, node, VALUE).calls if place.repeating else ()
    called = [call for call in calls if isinstance(call, CallExpr)]
    if not isinstance(repeated, FuncItem) and (
        _is_experiment(place, file) or needs_own_program(made, file) or is_called_with_own_sizes(node, called, file)
    ):
        return True
    return isinstance(function, FuncDef) and any(is_of_whole_runs(call, function, file) for call in called)


def _made_with(made: Node) -> Node | None:
    return function_of(made.callee) if isinstance(made, CallExpr) else made


def _is_experiment(place: Surroundings, file: CheckedFile) -> bool:
    """Whether a loop calls what each of several experiments compiles, by their names."""
    is_called_once = place.is_called or is_used_up_on_each_pass(place, file)
    return not is_called_once and not is_in_run(place) and are_named_experiments(place.around)


def report_looped(
    code: ErrorCode,
    node: Node,
    statement: Statement,
    place: Node,
    file: CheckedFile,
    harm: Harm | None,
    shown: Iterable[Evidence] = _NOTHING,
) -> bool:
    """Reports what the function around a place compiles, and calls in a loop, if another one runs it; or as potential.

    Returns whether it does.
    """
    function = surroundings(place, file).function
    if not isinstance(function, FuncDef):
        return False
    found, is_short = running(file, function), naming.looks_at_run(function.name)
    is_run = trains_from_start(function, file) if _serves_solver(node, file) else is_whole_run(function, file)
    may_count = harm is None and (not is_run or are_parts_of_run(found, file))
    if may_count and _is_looped(found) and (is_short or not is_of_experiments(found, file)):
        report(file, node, statement, code, evidence=[*shown, *shown_repetition(found, place, file)])
        return True
    if not (found.is_again or found.is_open):
        return False
    questions = question_of_loops(found, place, file, is_short=is_short) if may_count else ()
    is_asked = not is_known(found)
    report(file, node, statement, code, evidence=shown, questions=questions, harm=Harm.POTENTIAL, is_asked=is_asked)
    return True


def _serves_solver(node: Node, file: CheckedFile) -> bool:
    """Whether a solver of SciPy calls what is compiled: in NumPy, it mostly takes far less time than to compile."""
    return any(isinstance(call, CallExpr) and calls_back(call, file.tree) for call in life_of(file, node, VALUE).calls)


def harm_of_looped(function: FuncDef, file: CheckedFile) -> Harm | None:
    """What it harms that a function compiles anew for a loop of its own; None if no loop of the file runs that."""
    found = running(file, function)
    if not _is_looped(found):
        return None
    is_short = naming.looks_at_run(function.name)
    is_run = is_whole_run(function, file) and not are_parts_of_run(found, file)
    is_harmless = is_run or (is_of_experiments(found, file) and not is_short)
    return Harm.POTENTIAL if is_harmless else Harm.RECOMPILES


def _is_looped(found: Running) -> bool:
    return found.is_again and found.cause is Cause.LOOP


def report_looped_results(
    code: ErrorCode, node: Node, maker: FuncDef, statement: Statement, file: CheckedFile, harm: Harm | None
) -> bool:
    """Reports what a function compiles and returns, if code calls it in a loop and drops it, again and again."""
    for use in results_serving_loops(node, maker, file):
        if is_once_here(use, file) or is_in_test(use.line, file) or is_evaluated_once(use.line, file):
            continue
        place, shown = surroundings(use, file), dropped(use, maker, file)
        is_object = bool(class_made(maker))  # which mostly does a whole run
        is_alike = bool(place.repeating) and not is_object and makes_alike(use, place.repeating[0], file)
        if is_in_run(place) or is_alike:
            if not is_in_run(place) and are_named_experiments(place.around):
                harm = Harm.POTENTIAL
            report(file, node, statement, code, evidence=[shown, *shown_loop(place.repeating[0], use, file)], harm=harm)
            return True
        if not (place.repeating or is_object) and report_looped(code, node, statement, use, file, harm, [shown]):
            return True
    return False
