"""jit-bound-method: `jit(obj.method)` freezes the object's state into the compilation."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Expression, FuncDef, Node, TypeInfo
from mypy.plugin import CheckerPluginInterface

from ..classes import class_model
from ..classes.class_fields import attributes
from ..classes.self_uses import Reached, SelfUses, making_methods, reached_from, uses_by_method
from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..compat.modules import is_installed
from ..flow.made import constructed
from ..jit.application import JitCall
from ..knowledge.function_rows import Effect
from ..knowledge.type_rows import AsKey
from ..libraries import KEY_TYPES, TREE_METHODS, VALUE_METHODS, known_function
from ..reach.runs import running_at
from ..reporting.errors import report
from ..reporting.evidence.repetition import question_of_repetition, shown_repetition
from ..reporting.messages import Message, Statement
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.once import is_kept
from ..source.surroundings import Surroundings, surroundings
from ..syntax.trees import callee_name
from . import CODES
from ._bound_methods import BoundMethod, bound_method

CODE: Final = CODES["jit-bound-method"]

_KEEPS: Final = 'the function compiled from "{method}" keeps {attributes} from its first call'
_ADVICE: Final = (
    'jit "{cls}.{name}", and pass the object as its first argument: a pytree, or static if its class is frozen'
)
_USED_UP: Final = Message(
    '"{method}" is recompiled each time, with {attributes} built in', _ADVICE, kind="compiled-each-time"
)
_ASSIGNED: Final = Message(f'{_KEEPS}, and "{{assigning}}" assigns it later', _ADVICE, kind="keeps-assigned")
_KEPT: Final = Message(
    f"{_KEEPS}: later changes of the object are ignored, and JAX recompiles for an equal one",
    _ADVICE,
    kind="keeps-state",
)


class _Frozen(NamedTuple):
    """An attribute whose value the compiled function keeps, and a method that assigns it later, if there is one.

    The attribute is empty if the source of the compiled method is in another module.
    """

    attribute: str
    method: str | None = None


def check_bound_method(call: JitCall) -> bool:
    """Reports the compiled function if it is a method of an object that can change; returns whether it is."""
    file = call.file
    method = bound_method(_transformed(call.expression, file), file)
    if method is None or call.row.lifts_object:
        return False
    record_dependency(file.api, class_model.user_bases(method.info))
    if _keeps_state(method.info, file.api):
        return False
    frozen = _frozen(method, call)
    if frozen is None:
        return False
    place = surroundings(call.context, file) if isinstance(call.context, Node) else None
    is_used_up = place is not None and _is_used_up(method, place)
    statement = _statement(method, frozen, is_used_up=is_used_up)
    if place is None or not is_used_up:
        report(file, call.context, statement, CODE)
    elif not is_kept(place.around[0], file):
        _report_used_up(place.around[0], statement, file)
    return True


def _report_used_up(node: Node, statement: Statement, file: CheckedFile) -> None:
    found = running_at(file, node)
    if found.is_again or found.is_open:
        evidence = shown_repetition(found, node, file)
        questions = question_of_repetition(found, node, file)
        report(file, node, statement, CODE, evidence=evidence, questions=questions, is_asked=not found.is_again)


def _is_used_up(method: BoundMethod, place: Surroundings) -> bool:
    """Whether no later change can reach the object: the function is called on the spot, or nothing else has it."""
    is_temporary = isinstance(method.expression.expr, CallExpr) and constructed(method.expression.expr) is not None
    return is_temporary or (place.is_called and place.function is not None)


def _transformed(node: Expression, file: CheckedFile) -> Expression:
    """The `f` in `functools.partial(f, ...)`, `jax.vmap(f)` and the like."""
    made = made_by(node, file)
    while isinstance(made, CallExpr) and made.args and Effect.WRAPS in known_function(callee_name(made)).effects:
        made = made_by(made.args[0], file)
    return made


def _keeps_state(info: TypeInfo, api: CheckerPluginInterface) -> bool:
    """Whether to say nothing: the object cannot change, or its class is not the user's to change."""
    names = {base.fullname for base in info.mro}
    if not names.isdisjoint(VALUE_METHODS | TREE_METHODS) or info.is_enum or info.is_named_tuple or info.is_protocol:
        return True
    known = (KEY_TYPES[base.fullname] for base in info.mro[:-1] if base.fullname in KEY_TYPES)
    if any(entry.key is not AsKey.ABSTRACT for entry in known):
        return True
    if not class_model.is_readable(info) and not class_model.has_unseen_base(info):
        return True
    module = mypy_api.module_of(api, info)
    return module is None or is_installed(module) or class_model.mutability(info) is None


def _frozen(method: BoundMethod, call: JitCall) -> _Frozen | None:
    """What the compiled function keeps although it can change.

    Only attributes that the method reads count; of a class of another module, whose methods are not seen, all that can
    be assigned.
    """
    info, name = method.info, method.expression.name
    is_unseen = class_model.has_unseen_base(info)
    if not method.is_of_self and (is_unseen or class_model.is_abstract(info)):
        return None
    uses = _uses_by_method(call.file, info)
    making = making_methods(uses, info)
    reached = reached_from(name, uses, info)
    if is_unseen:
        return _set_again(reached, uses, making)
    if (late := _assigned_later(reached, uses, making)) is not None:
        return late
    if method.is_of_self and (class_model.is_abstract(info) or _is_being_made(call, making)):
        return None
    public = (name for name in sorted(reached.attributes) if _is_assignable(info, name))
    if reached.is_known:
        return next((_Frozen(name) for name in public), None)
    return _Frozen("")


@once_per_file
def _uses_by_method(file: CheckedFile, info: TypeInfo) -> Mapping[str, SelfUses]:
    return uses_by_method(info, file.tree.fullname)


def _assigned_later(reached: Reached, uses: Mapping[str, SelfUses], making: frozenset[str]) -> _Frozen | None:
    """An attribute that the compiled method reads and that another method assigns."""
    for name, use in uses.items():
        if name not in making and name not in reached.methods:
            for attribute in sorted(use.assigned & reached.attributes):
                return _Frozen(attribute, name)
    return None


def _set_again(reached: Reached, uses: Mapping[str, SelfUses], making: frozenset[str]) -> _Frozen | None:
    """An attribute that the compiled method reads and another method assigns, where a base of the class is not seen.

    That base may refuse changes, or call methods as it is made. So the class itself has to give the attribute a value
    first, and to take another one by a method with arguments.
    """
    given = frozenset[str]().union(*(use.given for name, use in uses.items() if name in making))
    known = reached._replace(attributes=reached.attributes & given)
    setters = {name: use for name, use in uses.items() if use.takes_arguments and not name.startswith("__")}
    return _assigned_later(known, setters, making)


def _is_being_made(call: JitCall, making: frozenset[str]) -> bool:
    """Whether the jit call is in `__init__`, or in another method that runs while the object is made."""
    around = surroundings(call.context, call.file).around if isinstance(call.context, Node) else ()
    return any(isinstance(node, FuncDef) and bool(node.info) and node.name in making for node in around)


def _is_assignable(info: TypeInfo, name: str) -> bool:
    if name.startswith("_"):
        return False
    return any(name == attribute and not var.is_final for base in info.mro for attribute, var in attributes(base))


def _statement(method: BoundMethod, frozen: _Frozen, *, is_used_up: bool) -> Statement:
    message = _USED_UP if is_used_up else _ASSIGNED if frozen.method is not None else _KEPT
    return message.fill(
        method=method.shown,
        attributes=f'the value of "{frozen.attribute}"' if frozen.attribute else "the values of the attributes",
        assigning=frozen.method or "",
        cls=method.info.name,
        name=method.expression.name,
    )
