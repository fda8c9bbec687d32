"""jit-retrace and jit-bound-method where a function returns what it compiles, and its callers drop that each time."""

from typing import Final

from mypy.errorcodes import ErrorCode
from mypy.nodes import FuncDef, LambdaExpr, Node

from ..facts.set_facts import CONSTRUCTORS
from ..reach.file_program import is_in_test
from ..reach.liveness import results_used_up
from ..reach.own_programs import calls_for_own_programs
from ..reach.program import Cause, Runs
from ..reach.runs import Running, is_evaluated_once, running
from ..reporting.errors import report
from ..reporting.evidence.repetition import harm_of_running, question_of_repetition, shown_loop, shown_repetition
from ..reporting.finding import Evidence
from ..reporting.harm import Harm
from ..reporting.messages import Statement
from ..source.checked_file import CheckedFile
from ..source.once import is_once_here
from ..source.surroundings import surroundings

DROPPED: Final = "dropped"
_DROPPED: Final = 'Line {line} gets what "{maker}" returns, which is only called, and then dropped'
_DROPPED_OBJECT: Final = 'Line {line} makes a "{maker}", which is only used there, and then dropped'
# Where a loop compiles nothing, or nobody minds.
_NEVER_AGAIN: Final = frozenset({Runs.IN_TESTS, Runs.NEVER, Runs.TRACED})


def class_made(maker: FuncDef) -> str:
    """The class whose objects a method makes; empty for any other function."""
    return maker.info.name if maker.info and maker.name in CONSTRUCTORS else ""


def report_used_up(
    code: ErrorCode, node: Node, maker: FuncDef, statement: Statement, file: CheckedFile, harm: Harm | None = None
) -> bool:
    """Reports what a function compiles and returns, if code that runs again and again only calls it, and drops it."""
    for use in results_used_up(node, maker, file):
        if is_once_here(use, file) or is_in_test(use.line, file) or is_evaluated_once(use.line, file):
            continue
        if _report_use(code, node, maker, statement, dropped(use, maker, file), use, file, harm):
            return True
    return False


def dropped(use: Node, maker: FuncDef, file: CheckedFile) -> Evidence:
    """The note that says where what a function makes is used and dropped."""
    cls = class_made(maker)
    text, name = (_DROPPED_OBJECT, cls) if cls else (_DROPPED, maker.name)
    return Evidence(DROPPED, file.tree.path, use.line, text.format(line=use.line, maker=name))


def _report_use(
    code: ErrorCode,
    node: Node,
    maker: FuncDef,
    statement: Statement,
    shown: Evidence,
    use: Node,
    file: CheckedFile,
    harm: Harm | None,
) -> bool:
    """Reports it if the code at `use` runs again and again; returns whether it does, or may."""
    place = surroundings(use, file)
    found = running(file, place.function) if place.function is not None else None
    if place.repeating:
        if found is not None and found.runs in _NEVER_AGAIN:
            return False
        harm = Harm.POTENTIAL if calls_for_own_programs(use, maker, file) else harm
        report(file, node, statement, code, evidence=[shown, *shown_loop(place.repeating[0], use, file)], harm=harm)
        return True
    if found is None or not (found.is_again or found.is_open):
        return False
    if isinstance(place.function, LambdaExpr) and found.cause is Cause.HANDED_ON:
        return False  # what gets it may well call it once: `raises(lambda: make()(x))`
    evidence = [shown, *shown_repetition(found, use, file)]
    questions = question_of_repetition(found, use, file, shows(harm))
    is_asked, harm = not is_known(found), harm_of_running(found, harm)
    report(file, node, statement, code, evidence=evidence, questions=questions, harm=harm, is_asked=is_asked)
    return True


def is_known(found: Running) -> bool:
    """Whether the file shows that the code runs more than once."""
    return found.is_again or found.is_potential


def shows(harm: Harm | None) -> Harm | None:
    """What it does where other modules run the code again and again; None if that does not matter."""
    return Harm.RECOMPILES if harm is None else None
