"""`jit(env.step)` where nothing in the file says what `env` is: if a method, each access makes a new object of it.

So does `jit(net.apply)` of a module of Flax Linen: these are equal, but JAX keeps none that nothing else keeps.
"""

from collections.abc import Callable

from mypy.errorcodes import ErrorCode
from mypy.nodes import CallExpr, FuncDef, MemberExpr, NameExpr, Node, RefExpr, TypeInfo, Var
from mypy.types import AnyType, get_proper_type

from ..jit.application import JitCall
from ..knowledge import naming
from ..libraries import VALUE_METHODS
from ..reach.file_program import is_in_test
from ..reach.liveness import is_used_up_on_each_call, never_leaves, place_of
from ..reach.program import Cause
from ..reach.receiving import constructed_in_file
from ..reach.repetition import is_shown_again
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
    USERS,
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
from ..source.local_bindings import bindings_of_local
from ..source.once import is_kept, is_once_here
from ..source.surroundings import surroundings
from ._bound_methods import bound_method


def ask_of_method(
    code: ErrorCode, call: JitCall, statement: Callable[[MemberExpr, FuncDef, CheckedFile], Statement]
) -> None:
    """Asks whether what a function compiles each time is a method: each access makes another object of it."""
    file, method = call.file, _method_used_up(call)
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
    is_equal = _is_of_equal_object(method, file)
    if is_equal:
        questions = []  # mypy knows that it is one
    harm = harm_of_running(found)
    if serves and not _is_looped(maker, found, file):
        harm = Harm.POTENTIAL
        questions += question_of_loops(found, node, file, is_short=naming.looks_at_run(maker.name))
    else:
        questions += question_of_repetition(found, node, file, without=(USERS,) if is_equal else ())
    evidence, said = shown_repetition(found, node, file), statement(method, maker, file)
    is_asked = not (is_equal and is_shown_again(found))
    report(file, node, said, code, evidence=evidence, questions=questions, harm=harm, is_asked=is_asked)


def _serves_loop(node: CallExpr, file: CheckedFile) -> bool:
    """Whether one compilation may serve many calls."""
    return not is_used_up_on_each_call(place_of(node, file), file)


def _is_whole_run(maker: FuncDef, found: Running, file: CheckedFile) -> bool:
    return is_whole_run(maker, file) and not are_parts_of_run(found, file)


def _is_looped(maker: FuncDef, found: Running, file: CheckedFile) -> bool:
    """Whether the file shows that another loop runs the function, and not for a few experiments."""
    is_looped = found.is_again and found.cause is Cause.LOOP
    return is_looped and (naming.looks_at_run(maker.name) or not is_of_experiments(found, file))


def _method_used_up(call: JitCall) -> MemberExpr | None:
    """The attribute that a function has compiled, calls and drops: of a module, or of an object without a known type.

    Of the latter, only the whole program may show that it is a method.
    """
    node, file = call.context, call.file
    made = made_by(call.expression, file)
    if not isinstance(made, MemberExpr) or not isinstance(node, CallExpr) or call.row.finds_equal:
        return None
    if not (_is_unknown(made.expr, file) or _is_of_equal_object(made, file)) or is_kept(node, file):
        return None
    place = place_of(node, file)
    is_dropped = place.is_called or never_leaves(place, file)
    return made if isinstance(place.function, FuncDef) and not place.repeating and is_dropped else None


def _is_unknown(node: Node, file: CheckedFile) -> bool:
    """Whether mypy knows nothing of a variable of a function, or of an attribute of its object."""
    holder = node.expr if isinstance(node, MemberExpr) else node
    variable = holder.node if isinstance(holder, NameExpr) else None
    if isinstance(node, MemberExpr) and isinstance(variable, Var) and variable.is_self:
        own = surroundings(node, file).cls
        symbol = own.get(node.name) if own is not None else None
        variable = symbol.node if symbol is not None else None
    elif isinstance(node, MemberExpr):
        return False
    if not isinstance(variable, Var) or variable.is_self:
        return False
    typ = get_proper_type(variable.type)
    return typ is None or isinstance(typ, AnyType)


def _is_of_equal_object(method: MemberExpr, file: CheckedFile) -> bool:
    """Whether it is a method of a module whose methods compare by value, and the file keeps no other that it may equal.

    What a compiled function keeps (`self.apply = jax.jit(net.apply)`) makes JAX find what it compiled, so this asks
    for all that is not compiled and called at once, and for the object: one that a function is given may have such.
    """
    if any(use is not method and _is_kept(use, file) for use in file.uses_by_name.get(method.name, ())):
        return False
    made = constructed_in_file(method.expr, file) or _class_of_result(method, file)
    return made is not None and any(base.fullname in VALUE_METHODS for base in made.mro)


def _class_of_result(method: MemberExpr, file: CheckedFile) -> TypeInfo | None:
    """The class of an object that a call returns, by itself or as an item: `net, variables = make()`."""
    bound = bindings_of_local(file, method.expr)
    if not bound or not all(isinstance(binding.value, CallExpr) for binding in bound):
        return None
    found = bound_method(method, file)
    return found.info if found is not None else None


def _is_kept(use: RefExpr, file: CheckedFile) -> bool:
    taking = file.calls_taking.get(use)
    return use not in file.calls_by_callee and (taking is None or taking not in file.calls_by_callee)
