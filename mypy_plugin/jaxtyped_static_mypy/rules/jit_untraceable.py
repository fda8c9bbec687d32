"""jit-untraceable: a dynamic parameter's type cannot be traced: every call raises."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import Context, FuncDef, RefExpr
from mypy.types import CallableType, Type, flatten_nested_unions, get_proper_type

from ..classes.reasons import Reason
from ..classes.registering import WITH_REGISTER_DATACLASS
from ..compat.dependencies import record_dependency
from ..flow.traced.given import given_values
from ..jit.application import Application, JitCall
from ..jit.written_lists import as_static
from ..judgement.traceability import Obstacle
from ..knowledge import naming
from ..markers.marker import Marker, marker_of, without_marker
from ..reach.array_parameters import is_used_as_array
from ..reach.uses import CERTAIN, POSSIBLE, uses_of
from ..reporting.actions import UNTRACEABLE_IN_SOME_CALLS, Action, Alternative
from ..reporting.errors import report
from ..reporting.evidence.passing import question_of_argument, questions_of_callable
from ..reporting.finding import Question, Written
from ..reporting.harm import Harm
from ..reporting.jit_sites import site_of_call
from ..reporting.messages import Message, Statement
from ..syntax.arguments import unpacks
from . import CODES
from ._returned_values import returned_values
from ._static_or_traced import as_pytree, before_static, faults_as_static, survey_of

CODE: Final = CODES["jit-untraceable"]

_UNNAMED: Final = "argument {}"


_PROBLEM: Final = 'Dynamic argument "{name}": {where}{subject} cannot be traced, so {raising} raises'
_STATIC: Final = Message(_PROBLEM, "make it static", kind="untraceable")
_MUTABLE: Final = Message(_PROBLEM, "make it static, and use {instead} instead", kind="untraceable")
_FIELD: Final = Message(_PROBLEM, 'make the field "{field}" static', kind="untraceable")
_PART: Final = Message(_PROBLEM, "pass that part as a separate static argument", kind="untraceable")
_MAKE_PYTREE: Final = Alternative(
    'make "{cls}" {pytree}', Action.REGISTER_DATACLASS, only_if=(("pytree", WITH_REGISTER_DATACLASS),)
)
_CLASS: Final = Message(_PROBLEM, (_MAKE_PYTREE, "{before}make the argument static"), kind="untraceable")
_TREE_ONLY: Final = Message(_PROBLEM, _MAKE_PYTREE, kind="untraceable")
_CONTRADICTED: Final = Message(
    'Dynamic argument "{name}": {where}{subject} cannot be traced, but "{function}" uses the argument as an array',
    "correct its annotation",
    kind="contradicted-annotation",
)


class _Untraceable(NamedTuple):
    """A dynamic parameter that cannot be traced."""

    position: int
    name: str
    type: Type
    obstacle: Obstacle
    is_array: bool  # as the function uses it, whatever its annotation says


check_body = returned_values


def check_traceable(application: Application) -> None:
    """Reports each parameter on its line; for a function that is not jitted where it is defined, only the first."""
    call = application.call
    if not call.row.traces_all or not call.site.known:
        return
    if application.arguments:
        found = list(_untraceable(application))
        for parameter in found:
            _report(application, application.arguments[parameter.position], parameter, found)
    elif call.function is None and isinstance(call.expression, RefExpr):
        kinds = application.signature.arg_kinds
        found = [parameter for parameter in _untraceable(application) if kinds[parameter.position].is_required()]
        found.sort(key=lambda parameter: parameter.is_array)
        if found:
            _report(application, call.context, found[0], found)


def _untraceable(application: Application) -> Iterator[_Untraceable]:
    call, signature = application.call, application.signature
    survey = survey_of(call)
    for index, typ in enumerate(signature.arg_types):
        if index in application.static or marker_of(typ, call.file.settings.static_markers) is Marker.STATIC:
            continue
        if index == 0 and call.function is not None and _takes_self(call.function):
            continue  # jit-self checks it
        obstacle = survey.obstacle(without_marker(typ))
        if obstacle is not None:
            argument = application.arguments[index] if application.arguments else None
            name = argument.variable.name if argument is not None else signature.arg_names[index]
            may_be_left = not signature.arg_kinds[index].is_required()
            obstacle = obstacle._replace(always=obstacle.always and not may_be_left)
            is_array = name is not None and is_used_as_array(application, name, typ)
            yield _Untraceable(index, name or _UNNAMED.format(index), without_marker(typ), obstacle, is_array)
    record_dependency(call.file.api, survey.consulted)


def _takes_self(function: FuncDef) -> bool:
    return bool(function.info) and (not function.is_static or function.name == "__new__")


def _report(application: Application, place: Context, parameter: _Untraceable, found: list[_Untraceable]) -> None:
    call = application.call
    if parameter.is_array:
        report(call.file, place, _contradicted(application, parameter), CODE, harm=Harm.POTENTIAL)
        return
    message, parts, is_mechanical = _advice(call, parameter)
    if not parameter.obstacle.always:
        message = message._replace(kind=UNTRACEABLE_IN_SOME_CALLS)
    statement = message.fill(**_parts(application, parameter), **parts)
    text = as_static(application, parameter.position, [other.position for other in found]) if is_mechanical else None
    is_marked = call.row.reads_markers and call.function is not None
    written = Written(text, is_added=not (is_marked or call.site.static)) if text is not None else None
    declared, harm = parameter.obstacle.declared, Harm.POTENTIAL if _is_never_passed(application, parameter) else None
    report(
        *(call.file, place, statement, CODE),
        declared=declared,
        written=written,
        site=site_of_call(call),
        harm=harm,
        questions=_questions(application, parameter),
    )


def _questions(application: Application, parameter: _Untraceable) -> Iterator[Question]:
    """What else the whole program may pass; who signs for the contract of `jit` is held to what is declared."""
    if _takes_callable(parameter.type):
        yield from questions_of_callable(_function_name(application))
    if not application.call.row.reads_markers:
        yield question_of_argument(application.call.compiled, parameter.name)


def _takes_callable(typ: Type) -> bool:
    return any(isinstance(get_proper_type(item), CallableType) for item in flatten_nested_unions([typ]))


def _is_never_passed(application: Application, parameter: _Untraceable) -> bool:
    """Whether a private function has a default for it, which all calls of the file leave as it is."""
    file, function = application.call.file, application.call.function
    is_required = application.signature.arg_kinds[parameter.position].is_required()
    if is_required or function is None or not naming.is_private(function.name):
        return False
    uses = uses_of(file, function).named(POSSIBLE)
    plain = [use for use in uses if use.naming in CERTAIN and use.call is not None and not unpacks(use.call)]
    return bool(uses) and len(plain) == len(uses) and parameter.name not in given_values(file, function)


def _contradicted(application: Application, parameter: _Untraceable) -> Statement:
    parts = _parts(application, parameter)
    return _CONTRADICTED.fill(**parts, function=_function_name(application))


def _parts(application: Application, parameter: _Untraceable) -> dict[str, str]:
    """The values of the message's placeholders."""
    path, subject, _, always, _ = parameter.obstacle
    where = f"{parameter.name}{''.join(path)}: " if path else ""
    name = _function_name(application)
    calls = f'every call of "{name}"' if name else "every call"
    raising = calls if always else f"{calls} that passes one"
    return {"name": parameter.name, "where": where, "subject": subject, "raising": raising}


def _function_name(application: Application) -> str:
    return (application.signature.name or "").partition(" of ")[0]  # mypy adds the class of a method


def _advice(call: JitCall, parameter: _Untraceable) -> tuple[Message, dict[str, str], bool]:
    """The advice, and whether the text to write is known: if the type can be static as it is."""
    if (field := parameter.obstacle.field) is not None:
        return _FIELD, {"field": field}, False
    faults = faults_as_static(parameter.type, call.file)
    declared, before = parameter.obstacle.declared, before_static(faults)
    if declared is not None:
        pytree = as_pytree(declared, survey_of(call), call.file)
        message = _TREE_ONLY if before is None else _CLASS
        return message, {"cls": declared.name, "pytree": pytree, "before": before or ""}, not faults
    instead = next((fault.detail for fault in faults if fault.reason is Reason.MUTABLE_TYPE), None)
    if instead is not None:
        return _MUTABLE, {"instead": instead}, False
    return (_STATIC if before is not None else _PART), {}, not faults
