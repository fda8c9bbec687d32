"""static-callable: a callable hashed by identity that is not a singleton: every new one compiles again."""

from collections.abc import Iterator
from typing import Final

from mypy.errorcodes import ErrorCode
from mypy.nodes import CallExpr, Expression, FuncDef, FuncItem, MemberExpr, Node, TypeInfo
from mypy.types import Type

from ..classes.field_defaults import Default
from ..classes.registering import verifies_values
from ..compat import mypy_api
from ..facts.functions.keeping import record_helpers
from ..flow.compiled_calls import compiled_call, compiled_calls_with, compiles_on_each_pass
from ..flow.fresh import (
    FreshKind,
    Origin,
    Reader,
    holds_callables,
    is_local_class,
    is_plain,
    origin_of,
    origin_of_result,
    reader_at,
    type_as_declared,
)
from ..flow.fresh.captures import captured_names, local_names
from ..flow.fresh.making import (
    can_be_made_before_loop,
    is_bound_for_good,
    is_made_again,
    is_made_in_function,
    is_object_made_again,
    is_used_in_later_loop,
    maker_of,
    may_be_made_again,
)
from ..flow.kept_in_file import stay_in_file
from ..reach.file_program import is_in_test
from ..reach.own_programs import needs_own_program
from ..reach.runs import is_constructed_once, is_evaluated_once, running, running_at
from ..reporting.actions import Action, Alternative
from ..reporting.errors import report
from ..reporting.evidence.making import questions_of_new_parts, shown_new_parts
from ..reporting.evidence.repetition import harm_of_running, question_of_repetition, shown_repetition
from ..reporting.harm import Harm
from ..reporting.messages import Message, Statement
from ..reporting.positions import Position
from ..source.checked_file import CheckedFile
from ..source.compiled_in import code_of
from ..source.making_functions import makes_functions
from ..source.own_programs import needs_own_programs
from ..source.surroundings import surroundings
from . import CODES
from ._looped_calls import harm_of_looped

CODE: Final = CODES["static-callable"]
_UNVERIFIED: Final = CODES["static-unverified"]

_WITH_CALL: Final = "use a frozen dataclass with a __call__"

# What else to do where the callable depends on local variables, so that it cannot go to module level.
_INSTEAD: Final = {
    FreshKind.PARTIAL: "pass the function and its arguments separately",
    FreshKind.FACTORY: f"memoise it with functools.cache, or {_WITH_CALL}",
    FreshKind.OPTIMISER: "build it inside the jitted function, from its arguments",
}
_ADVICE_CAPTURED: Final = "pass what it captures ({names}) as {arguments}"
_ADVICE_UNJIT: Final = 'remove jit from "{function}", and jit its callers'
_ADVICE_BEFORE_LOOP: Final = "make it once, before the loop"

_MESSAGES: Final = {
    FreshKind.LAMBDA: Message(
        "a lambda{at} is a new function each time",
        Alternative("define a function at module level", Action.MAKE_AT_MODULE_LEVEL),
    ),
    FreshKind.NESTED_FUNCTION: Message(
        '"{subject}"{at} is defined inside a function, which makes a new one each time it runs',
        "define it at module level",
    ),
    FreshKind.LOOP_FUNCTION: Message(
        '"{subject}"{at} is defined in a loop, which makes a new one on each pass',
        "define it before the loop, and pass what the loop changes as arguments",
    ),
    FreshKind.NESTED_CLASS: Message(
        '"{subject}"{at} is a class defined inside a function, which makes a new one each time it runs',
        "define it at module level",
    ),
    FreshKind.PARTIAL: Message(
        "{subject}{at} is hashed by identity, and new each time",
        (
            Alternative("bind it to a name at module level", Action.MAKE_AT_MODULE_LEVEL),
            _INSTEAD[FreshKind.PARTIAL],
        ),
    ),
    FreshKind.TREE_PARTIAL: Message(
        "{subject}{at} is hashed by identity, and new each time", "pass it as a dynamic argument: it is a pytree"
    ),
    FreshKind.BOUND_METHOD: Message(
        '"{subject}"{at} is a bound method, equal only to the same method of the very same object',
        f"pass a module-level function and the object as two arguments, or {_WITH_CALL}",
    ),
    FreshKind.FACTORY: Message(
        "{subject}{at} returns a new callable each time it is called",
        f"call it once, at module level, or {_INSTEAD[FreshKind.FACTORY]}",
    ),
    FreshKind.OPTIMISER: Message(
        "{subject}{at} is made of new functions each time",
        f"build it once, at module level, or {_INSTEAD[FreshKind.OPTIMISER]}",
    ),
    FreshKind.UNKNOWN: Message(
        'nothing shows that "{subject}"{at} is the same object each time',
        "pass a module-level function, or mark the parameter or field that it comes from as Static",
    ),
}

# Where JAX compares values and never hashes them.
_WHERE_COMPARED: Final = {
    FreshKind.PARTIAL: Message(
        "{subject}{at} is compared by identity, and new each time", _MESSAGES[FreshKind.PARTIAL].advice
    ),
    FreshKind.TREE_PARTIAL: Message(
        "{subject}{at} is compared by identity, and new each time", "make it a data field: it is a pytree"
    ),
}


def check_callable(
    position: Position,
    expression: Expression,
    typ: Type,
    place: Expression,
    file: CheckedFile,
) -> None:
    """Reports a callable in a static position that is a new object each time.

    `place`: where it is passed, if not as it is: the dict that a call unpacks.
    """
    if is_plain(typ):
        return
    reader = reader_at(file)
    origin = origin_of(expression, reader)
    record_helpers(file.api, reader.file.helpers)
    if origin is None or not mypy_api.fits(typ, position.type) or is_evaluated_once(place.line, reader.file):
        return
    if origin.kind is FreshKind.UNKNOWN:
        if holds_callables(typ):
            _report(position, origin, file)
    elif _is_made_again(position, origin, place, reader):
        made = maker_of(origin, place)
        is_of_pass = _is_of_pass(origin, place, file) or _compiles_anyway(position, origin, place, file)
        is_harmless = not position.is_signed and is_of_pass
        _report(position, origin, file, made, harm=Harm.POTENTIAL if is_harmless else None)
    elif position.is_argument and may_be_made_again(origin, place, reader) and not is_bound_for_good(place, file):
        _report(position, origin, file, maker_of(origin, place), is_asked=True)
    elif position.is_argument and not is_bound_for_good(place, file):
        _report_of_run(position, origin, place, file)
    elif position.holder is not None and _is_made_for_call(maker_of(origin, place), reader):
        _report(position, origin, file, maker_of(origin, place), harm=Harm.POTENTIAL)


def _report_of_run(position: Position, origin: Origin, place: Expression, file: CheckedFile) -> None:
    """Of what a function makes before a loop, and gives to all passes of that, if another loop runs the function."""
    made = maker_of(origin, place)
    function = surroundings(made, file).function
    if not isinstance(function, FuncDef) or origin.kind is FreshKind.BOUND_METHOD or is_in_test(made.line, file):
        return
    if not is_used_in_later_loop(made, place, file) or (harm := harm_of_looped(function, file)) is None:
        return
    evidence = shown_repetition(running(file, function), made, file)
    statement = _statement(position, origin, file)
    report(file, position.context, statement, CODE, position=position.place, evidence=evidence, harm=harm)


def _is_made_for_call(made: Node, reader: Reader) -> bool:
    """Whether a function makes the callable that only makes such ones: a program calls it once, or for each of many."""
    function = surroundings(made, reader.file).function
    return isinstance(function, FuncDef) and makes_functions(function) and not is_in_test(made.line, reader.file)


def _is_made_again(position: Position, origin: Origin, place: Expression, reader: Reader) -> bool:
    if position.is_verified and is_made_in_function(origin, place, reader):
        return True  # raises
    if position.is_argument:
        return is_made_again(origin, place, reader) and not is_bound_for_good(place, reader.file)
    return is_object_made_again(origin, place, reader)


def _is_of_pass(origin: Origin, place: Expression, file: CheckedFile) -> bool:
    """Whether each pass of a loop makes and passes other code, which JAX has to compile."""
    made = maker_of(origin, place)
    loops, later = surroundings(made, file).loops, surroundings(place, file).loops
    if isinstance(made, FuncItem):
        return set(loops) <= set(later) and needs_own_program(made, file)
    return loops == later and needs_own_program(place, file)


def _compiles_anyway(position: Position, origin: Origin, place: Expression, file: CheckedFile) -> bool:
    """Whether no call compiles for the callable: none gets it, or each has another static value on each pass."""
    call = next((node for node in surroundings(place, file).around[1:] if isinstance(node, CallExpr)), None)
    if call is None or position.is_verified:
        return False
    if position.holder is not None and _gets_other_code(call, place, file):
        return True
    if position.holder is not None and stay_in_file(call, position.holder, file):
        return True
    if position.holder is not None:
        found = compiled_calls_with(call, position.holder, file)
    else:
        found = [compiled] if (compiled := compiled_call(call, file)) is not None else None
    return found is not None and compiles_on_each_pass(found, maker_of(origin, place), place, file)


def _gets_other_code(call: CallExpr, place: Expression, file: CheckedFile) -> bool:
    """Whether an object gets a method of another one on each pass of the loops around, as well: `model.apply`."""
    around, others = surroundings(call, file).around, (given for given in call.args if given is not place)
    methods = (given for given in others if isinstance(given, MemberExpr))
    return any(needs_own_programs((method, *around), code_of(file)) for method in methods)


def check_default(default: Default, position: Position, info: TypeInfo, file: CheckedFile) -> None:
    """Reports a new callable as the default of a field: one object, unless its class or a factory makes new ones."""
    reader = Reader(file, type_as_declared)
    origin = _origin_of_default(default, info, reader)
    record_helpers(file.api, reader.file.helpers)
    if origin is not None and (origin.kind is not FreshKind.UNKNOWN or holds_callables(position.type)):
        _report(position, origin, file)


def check_initial(position: Position, expression: Expression, info: TypeInfo, file: CheckedFile) -> None:
    """Reports a callable that `__init__` makes and gives to a field: a new one for each object."""
    reader = Reader(file, type_as_declared)
    origin = origin_of(expression, reader)
    record_helpers(file.api, reader.file.helpers)
    if origin is None or origin.kind is FreshKind.UNKNOWN:
        return
    if position.is_verified:
        _report(position, origin, file)
    elif not is_constructed_once(info, reader.file):
        lasts = origin.kind is FreshKind.OPTIMISER
        shown = tuple(shown_new_parts(expression, info, reader.file, lasts=lasts))
        harm = None if shown else Harm.POTENTIAL
        report(
            *(file, position.context, _statement(position, origin, file), CODE),
            position=position.place,
            evidence=shown,
            questions=questions_of_new_parts(info),
            harm=harm,
        )


def _origin_of_default(default: Default, info: TypeInfo, reader: Reader) -> Origin | None:
    if default.is_factory:
        return origin_of_result(default.value, default.value, reader)
    origin = origin_of(default.value, reader) if is_local_class(info) else None
    if origin is None or verifies_values(info) or is_made_again(origin, default.value, reader):
        return origin
    return None


def _report(
    position: Position,
    origin: Origin,
    file: CheckedFile,
    made: Node | None = None,
    *,
    is_asked: bool = False,
    harm: Harm | None = None,
) -> None:
    """`made`: what makes the callable, if it matters how often that runs. `harm`: None if that depends on it."""
    code: ErrorCode = CODE
    if origin.kind is FreshKind.UNKNOWN:
        if not file.settings.strict:
            return
        code = _UNVERIFIED
    statement = _statement(position, origin, file)
    is_asking = made is not None and harm is None and not position.is_verified
    found = running_at(file, made) if made is not None and is_asking else None
    evidence = shown_repetition(found, made, file) if found is not None and made is not None else ()
    questions = question_of_repetition(found, made, file) if found is not None and made is not None else ()
    if found is not None:
        harm = harm_of_running(found)
    report(
        *(file, position.context, statement, code),
        position=position.place,
        evidence=evidence,
        questions=questions,
        is_asked=is_asked,
        harm=harm,
    )


def _statement(position: Position, origin: Origin, file: CheckedFile) -> Statement:
    line = origin.context.line
    at = f" (line {line})" if line not in (position.context.line, -1) else ""
    message = _MESSAGES[origin.kind]
    if not position.is_hashed:
        message = _WHERE_COMPARED.get(origin.kind, message)
    if advice := tuple(_local_advice(position, origin, file)):
        message = message._replace(advice=advice)
    return message.named_by(origin.kind).fill(subject=origin.subject, at=at)


def _local_advice(position: Position, origin: Origin, file: CheckedFile) -> Iterator[str]:
    """What to do with a callable that depends on local variables; nothing if it does not."""
    made = maker_of(origin, position.context)
    names = captured_names(origin.context, file) or (local_names(made) if origin.kind in _INSTEAD else [])
    if not names:
        return
    if can_be_made_before_loop(made, file):
        yield _ADVICE_BEFORE_LOOP
    if origin.kind in _INSTEAD:
        yield _INSTEAD[origin.kind]
        return
    shown = ", ".join(f'"{name}"' for name in names)
    yield _ADVICE_CAPTURED.format(names=shown, arguments="an argument" if len(names) == 1 else "arguments")
    if position.owner and position.is_argument:
        yield _ADVICE_UNJIT.format(function=position.owner)
