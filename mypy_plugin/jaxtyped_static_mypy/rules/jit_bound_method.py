"""jit-bound-method: `jit(obj.method)` freezes the object's state into the compilation."""

from typing import Final, TypeAlias

from mypy.nodes import CallExpr, Expression, FuncDef, NameExpr, Node, Var

from ..classes import class_model
from ..classes.self_uses import reached_from, uses_by_method
from ..compat.dependencies import record_dependency
from ..facts.objects.uses import ANY_ATTRIBUTE, Change
from ..flow.made import constructed
from ..jit.application import JitCall
from ..reach.file_program import is_in_test
from ..reach.liveness import drops_results, never_leaves, places_in_call
from ..reach.own_programs import needs_own_program
from ..reach.runs import running_at
from ..reporting.errors import report
from ..reporting.evidence.changes import stale
from ..reporting.evidence.kept import attributes_given, changes_kept, question_of_kept
from ..reporting.evidence.repetition import harm_of_running, question_of_repetition, shown_repetition
from ..reporting.harm import Harm
from ..reporting.messages import Message, Statement
from ..source.bindings import innermost, made_by
from ..source.checked_file import CheckedFile
from ..source.local_bindings import reaching_bindings
from ..source.once import is_kept, is_once_here
from ..source.surroundings import Surroundings, surroundings
from ..syntax.names import dotted_name
from ..syntax.partials import is_partial
from . import CODES
from ._bound_methods import BoundMethod, bound_method, made_here
from ._frozen_state import Frozen, Read, frozen_state, is_of_others
from ._nested_functions import below_wrapper, keepers, nested_function, renews, sets_while_traced
from ._used_up_results import class_made, report_used_up

_Change: TypeAlias = tuple[str, Change]  # with its module

CODE: Final = CODES["jit-bound-method"]

_KEEPS: Final = 'the function compiled from "{method}" keeps {attributes} from its first call'
_ADVICE: Final = (
    '{jit} "{cls}.{name}", and pass the object as its first argument: a pytree{whole}, or static if its class is frozen'
)
_MAPPED: Final = {"jit": "pmap", "whole": " with None in in_axes"}
_JITTED: Final = {"jit": "jit", "whole": ""}
_USED_UP: Final = Message(
    '"{method}" is recompiled each time, with {attributes} built in', _ADVICE, kind="compiled-each-time"
)
_UNREAD: Final = Message(
    '"{method}" is recompiled each time, because each access makes a new method object',
    'make "{name}" a function of the module, and jit it there',
    kind="compiled-each-time-and-reads-nothing",
)
_ASSIGNED: Final = Message(f'{_KEEPS}, and "{{assigning}}" assigns it later', _ADVICE, kind="keeps-assigned")
_KEPT: Final = Message(
    f"{_KEEPS}: later changes of the object are ignored, and JAX recompiles for an equal one",
    _ADVICE,
    kind="keeps-state",
)
_NESTED_ASSIGNED: Final = Message(
    '{function} keeps the value that "{attribute}" has when JAX compiles it, and "{assigning}" changes it later',
    'pass "{attribute}" as an argument',
    kind="nested-keeps-assigned",
)
_NESTED_KEPT: Final = Message(
    "{function} keeps the values that attributes of its object have when JAX compiles it: later changes are ignored",
    _NESTED_ASSIGNED.advice,
    kind="nested-keeps-state",
)


def check_bound_method(call: JitCall) -> bool:
    """Reports the compiled function if it is a method of an object that can change; returns whether it did."""
    file = call.file
    if call.row.lifts_object or not isinstance(call.context, Node):
        return False
    method = bound_method(_transformed(call.expression, file), file)
    if method is None:
        return _check_nested(call, call.context)
    record_dependency(file.api, class_model.user_bases(method.info))
    if is_of_others(method.info, file.api):
        return False
    if _reads_nothing(method):
        return _judge_unread(method, call, surroundings(call.context, file))
    read = Read(
        method.info,
        method.expression.name,
        dotted_name(method.expression.expr) or "",
        is_of_self=method.is_of_self,
    )
    can_change = class_model.mutability(method.info) is not None
    frozen = frozen_state(read, uses_by_method(method.info), call) if can_change else None
    return frozen is not None and _judge(method, frozen, call, surroundings(call.context, file))


def _check_nested(call: JitCall, node: Node) -> bool:
    """The same of a function nested in a method, whose object it reads."""
    file = call.file
    nested = nested_function(call.expression, call.function, file)
    if nested is None or nested.info.is_protocol or class_model.mutability(nested.info) is None:
        return False
    record_dependency(file.api, class_model.user_bases(nested.info))
    place = surroundings(node, file)
    keeping = keepers(place, file) if not (is_of_others(nested.info, file.api) or place.is_called) else None
    uses = {**uses_by_method(nested.info), nested.key: nested.uses}
    frozen = frozen_state(Read(nested.info, nested.key, nested.own.name, is_of_self=True), uses, call)
    if frozen is None or keeping is None:
        return False
    found = changes_kept(frozen.kept, place, file, is_found_again=False)
    changes = [
        (module, change)
        for module, change in found
        if module != file.tree.fullname
        or not (sets_while_traced(nested, change.line, file) or renews(change.line, keeping, file))
    ]
    if not changes and places_in_call(place, file) is not None:
        return False
    questions = question_of_kept(frozen.kept, min(keeping, default=nested.function.name))
    if not changes:
        read = ", ".join(f"{nested.own.name}.{name}" for name in sorted(frozen.kept.read)) or nested.own.name
        statement, harm = _NESTED_KEPT.fill(function=nested.shown, attribute=read), Harm.POTENTIAL
        report(file, node, statement, CODE, questions=questions, harm=harm, is_asked=True)
        return False
    module, changed = changes[0]
    attribute = changed.attribute if changed.attribute != ANY_ATTRIBUTE else frozen.shown
    statement = _NESTED_ASSIGNED.fill(
        function=nested.shown,
        attribute=f"{nested.own.name}.{attribute}",
        assigning=changed.where.rpartition(".")[2] or module,
    )
    return report(file, node, statement, CODE, evidence=stale(changes, file), questions=questions)


def _judge(method: BoundMethod, frozen: Frozen, call: JitCall, place: Surroundings) -> bool:
    file = call.file
    node, is_temporary = place.around[0], _is_temporary(method)
    is_direct = bound_method(call.expression, file) is not None
    made = made_here(method, file) if call.row.finds_equal and is_direct else node
    is_found_again = made is None
    is_used_up = not is_found_again and (is_temporary or never_leaves(place, file))
    maker = _maker(place, call)
    is_dropped = maker is not None and drops_results(node, maker, file)
    is_new = is_temporary or is_dropped or (place.is_called and not is_found_again)
    changes = changes_kept(frozen.kept, place, file, is_found_again=is_found_again) if not is_new else []
    if changes:
        given = attributes_given(place, file)
        shown = min(changes, key=lambda change: change[1].attribute in given)
        statement = _statement(_ASSIGNED, method, frozen, call, shown)
        questions = question_of_kept(frozen.kept, method.expression.name)
        return report(file, node, statement, CODE, evidence=stale(changes, file), questions=questions)
    if is_used_up and (is_kept(node, file) or is_partial(made_by(call.expression, file))):
        return False  # a new partial is new whatever its object is: `jit-retrace` tells of that
    if is_used_up and made is not None:
        return _report_used_up(node, made, _statement(_USED_UP, method, frozen, call), file)
    if maker is not None and report_used_up(CODE, node, maker, _statement(_USED_UP, method, frozen, call), file):
        return True
    report(
        file,
        node,
        _statement(_KEPT, method, frozen, call),
        CODE,
        questions=question_of_kept(frozen.kept, method.expression.name),
        harm=Harm.POTENTIAL,
        is_asked=frozen.is_silent,
    )
    return False


def _maker(place: Surroundings, call: JitCall) -> FuncDef | None:
    """The function around a jit call whose callers may get what that returns; an object keeps what it makes."""
    function = place.function
    return function if isinstance(function, FuncDef) and not class_made(function) and not call.row.finds_equal else None


def _reads_nothing(method: BoundMethod) -> bool:
    """Whether a method, and what it calls on its object, is known to read no attribute of that."""
    info = method.info
    if class_model.has_unseen_base(info) or class_model.is_abstract(info):
        return False
    reached = reached_from(method.expression.name, uses_by_method(info), info)
    return reached.is_known and not reached.attributes


def _judge_unread(method: BoundMethod, call: JitCall, place: Surroundings) -> bool:
    """Reports a method that keeps nothing, and is compiled again all the same: each access makes another object."""
    file, node = call.file, place.around[0]
    is_used_up = _is_temporary(method) or place.is_called or never_leaves(place, file)
    if call.row.finds_equal or place.function is None or is_kept(node, file):
        return False
    if is_once_here(node, file) or is_in_test(node.line, file):
        return False
    statement = _UNREAD.fill(method=method.shown, name=method.expression.name)
    if not is_used_up:
        maker = _maker(place, call)
        return maker is not None and report_used_up(CODE, node, maker, statement, file)
    return _report_used_up(node, node, statement, file)


def _report_used_up(node: Node, made: Node, statement: Statement, file: CheckedFile) -> bool:
    """`made`: what has to run again for JAX to compile again."""
    found = running_at(file, made)
    if not (found.is_again or found.is_open):
        return False
    evidence = shown_repetition(found, node, file)
    questions = question_of_repetition(found, node, file)
    harm = Harm.POTENTIAL if needs_own_program(made, file) else harm_of_running(found)
    is_asked = not found.is_again
    return report(file, node, statement, CODE, evidence=evidence, questions=questions, harm=harm, is_asked=is_asked)


def _is_temporary(method: BoundMethod) -> bool:
    """Whether nothing else has the object."""
    return isinstance(method.expression.expr, CallExpr) and constructed(method.expression.expr) is not None


def _transformed(node: Expression, file: CheckedFile) -> Expression:
    """The `f` in `functools.partial(f, ...)`, `jax.vmap(f)` and the like."""
    return innermost(node, file, lambda made: _wrapped(made, file))


def _wrapped(made: Expression, file: CheckedFile) -> Expression | None:
    if isinstance(made, NameExpr) and isinstance(made.node, Var):  # which `f = jax.grad(f)` binds again
        seen = reaching_bindings(file, made, made.node) if "." not in made.node.fullname else []
        return seen[0].binding.whole if len(seen) == 1 else None
    return below_wrapper(made)


def _statement(
    message: Message, method: BoundMethod, frozen: Frozen, call: JitCall, change: _Change | None = None
) -> Statement:
    """`change`: that of an attribute that is kept, with its module."""
    module, changed = change or ("", None)
    attribute = frozen.shown if changed is None or changed.attribute == ANY_ATTRIBUTE else changed.attribute
    return message.fill(
        method=method.shown,
        attributes=f'the value of "{attribute}"' if attribute else "the values of the attributes",
        assigning=(changed.where.rpartition(".")[2] if changed is not None else "") or module,
        cls=method.info.name,
        name=method.expression.name,
        **(_MAPPED if call.row.maps else _JITTED),
    )
