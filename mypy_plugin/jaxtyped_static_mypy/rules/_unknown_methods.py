"""`jit(env.step)` where nothing in the file says what `env` is: if a method, each access makes a new object of it."""

from collections.abc import Callable

from mypy.errorcodes import ErrorCode
from mypy.nodes import CallExpr, FuncDef, MemberExpr, NameExpr, Node, Var
from mypy.types import AnyType, get_proper_type

from ..jit.application import JitCall
from ..knowledge import naming
from ..reach.file_program import is_in_test
from ..reach.liveness import is_used_up_on_each_call, never_leaves, place_of
from ..reach.program import Cause
from ..reach.runs import (
    Running,
    are_parts_of_run,
    is_evaluated_once,
    is_of_experiments,
    is_whole_run,
    running,
    whole_name,
)
from ..reporting.errors import report
from ..reporting.evidence.repetition import (
    REPEATED,
    harm_of_running,
    question_of_loops,
    question_of_repetition,
    shown_repetition,
)
from ..reporting.finding import Asked, Question
from ..reporting.harm import Harm
from ..reporting.messages import Statement
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile
from ..source.once import is_kept, is_once_here
from ..source.surroundings import surroundings


def ask_of_method(
    code: ErrorCode, call: JitCall, statement: Callable[[MemberExpr, FuncDef, CheckedFile], Statement]
) -> None:
    """Asks whether what a function compiles each time is a method: each access makes another object of it."""
    file, method = call.file, _method_of_unknown(call)
    maker = surroundings(method, file).function if method is not None else None
    node = call.context
    if method is None or not isinstance(maker, FuncDef) or not isinstance(node, CallExpr):
        return
    if is_once_here(node, file) or is_evaluated_once(node.line, file) or is_in_test(node.line, file):
        return
    found = running(file, maker)
    serves = _serves_loop(node, file)
    if not (found.is_again or found.is_open) or (serves and _is_whole_run(maker, found, file)):
        return
    questions = [Question(Asked.NO_METHOD, whole_name(maker, file), REPEATED, "", (method.name,))]
    harm = harm_of_running(found)
    if serves and not _is_looped(maker, found, file):
        harm = Harm.POTENTIAL
        questions += question_of_loops(found, node, file, is_short=naming.looks_at_run(maker.name))
    else:
        questions += question_of_repetition(found, node, file)
    evidence, said = shown_repetition(found, node, file), statement(method, maker, file)
    report(file, node, said, code, evidence=evidence, questions=questions, harm=harm, is_asked=True)


def _serves_loop(node: CallExpr, file: CheckedFile) -> bool:
    """Whether one compilation may serve many calls."""
    return not is_used_up_on_each_call(place_of(node, file), file)


def _is_whole_run(maker: FuncDef, found: Running, file: CheckedFile) -> bool:
    return is_whole_run(maker, file) and not are_parts_of_run(found, file)


def _is_looped(maker: FuncDef, found: Running, file: CheckedFile) -> bool:
    """Whether the file shows that another loop runs the function, and not for a few experiments."""
    is_looped = found.is_again and found.cause is Cause.LOOP
    return is_looped and (naming.looks_at_run(maker.name) or not is_of_experiments(found, file))


def _method_of_unknown(call: JitCall) -> MemberExpr | None:
    """The attribute that a function has compiled, calls and drops, of an object that mypy knows nothing of.

    Only the whole program may show that it is a method.
    """
    node, file = call.context, call.file
    made = made_by(call.expression, file)
    if not isinstance(made, MemberExpr) or not isinstance(node, CallExpr) or call.row.maps or call.row.filters:
        return None
    if not _is_unknown(made.expr, file) or is_kept(node, file):
        return None
    place = place_of(node, file)
    is_dropped = place.is_called or never_leaves(place, file)
    return made if isinstance(place.function, FuncDef) and not place.repeating and is_dropped else None


def _is_unknown(node: Node, file: CheckedFile) -> bool:
    """Whether mypy knows nothing of a variable of a function, or of an attribute of its object."""
    holder = node.expr if isinstance(node, MemberExpr) else node
    variable = holder.node if isinstance(holder, NameExpr) else None
    if isinstance(node, MemberExpr) and isinstance(variable, Var) and variable.is_self:
        around = (part for part in surroundings(node, file).around if isinstance(part, FuncDef) and part.info)
        symbol = next((part.info.get(node.name) for part in around), None)
        variable = symbol.node if symbol is not None else None
    elif isinstance(node, MemberExpr):
        return False
    if not isinstance(variable, Var) or variable.is_self:
        return False
    typ = get_proper_type(variable.type)
    return typ is None or isinstance(typ, AnyType)
