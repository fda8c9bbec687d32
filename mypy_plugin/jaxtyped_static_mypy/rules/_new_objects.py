"""static-hash and jit-retrace at a call: an object that is equal only to itself, or a value that differs, each time."""

from typing import Final

from mypy.nodes import CallExpr, Context, Expression

from ..flow.compiled_calls import compiled_calls_with, compiles_on_each_pass
from ..flow.fresh import FreshKind, Origin, reader_at
from ..flow.fresh.making import (
    is_bound_for_good,
    is_made_again,
    is_object_made_again,
    maker_of,
    may_be_made_again,
)
from ..flow.fresh.objects import new_object
from ..flow.traced.analysis import is_staged
from ..reach.own_programs import needs_own_program
from ..reach.runs import is_evaluated_once, running_at
from ..reporting.errors import report
from ..reporting.evidence.repetition import harm_of_running, question_of_repetition, shown_repetition
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..reporting.positions import Position
from ..source.checked_file import CheckedFile
from . import CODES

_BY_IDENTITY: Final = (FreshKind.OBJECT, FreshKind.GENERATOR, FreshKind.ITERATOR)

_ANOTHER: Final = "{subject}{at} is another value each time, so JAX compiles again for each"
_NEW: Final = "{subject}{at} makes a new object each time, which is hashed by identity, so JAX compiles again for each"
_MESSAGES: Final = {
    FreshKind.OBJECT: Message(_NEW, "make one object at module level, or pass what it is made of", kind="new-object"),
    FreshKind.GENERATOR: Message(
        _NEW, "pass its seed, or draw with jax.random from a key that is passed as an argument", kind="new-object"
    ),
    FreshKind.ITERATOR: Message(
        "{subject}{at} is a new iterator each time, which is hashed by identity and used up by the first trace, so JAX "
        "compiles again for each",
        "pass a tuple of its items",
        kind="new-iterator",
    ),
    FreshKind.VALUE: Message(_ANOTHER, "compute it once, at module level", kind="new-value"),
    FreshKind.NUMBER: Message(
        _ANOTHER, 'make "{parameter}" dynamic, or compute it once, at module level', kind="new-value"
    ),
    FreshKind.COUNTER: Message(_ANOTHER, 'make "{parameter}" dynamic', kind="new-value"),
}


def check_new_object(position: Position, expression: Expression, call: Context, file: CheckedFile) -> None:
    """Reports a static argument that no later call can find again, in code that runs again and again."""
    reader = reader_at(file)
    origin = new_object(expression, reader)
    if origin is None or is_evaluated_once(expression.line, file) or is_bound_for_good(expression, file):
        return
    if isinstance(call, CallExpr) and is_staged(call, file.api, file.settings):
        return
    if is_made_again(origin, expression, reader):
        _report(position, origin, file, harm=_harm_of_pass(position, origin, expression, file))
    elif may_be_made_again(origin, expression, reader):
        _report(position, origin, file, is_asked=True)


def check_new_part(position: Position, expression: Expression, call: Context, file: CheckedFile) -> None:
    """Reports such an object in a static field, if the file shows that a compiled function gets what holds it."""
    origin = new_object(expression, reader_at(file))
    if origin is None or origin.kind not in _BY_IDENTITY or is_evaluated_once(expression.line, file):
        return
    if position.holder is None or not isinstance(call, CallExpr) or is_staged(call, file.api, file.settings):
        return
    if not is_object_made_again(origin, expression, reader_at(file)):
        return
    found = compiled_calls_with(call, position.holder, file)
    if found and not compiles_on_each_pass(found, maker_of(origin, expression), expression, file):
        _report(position, origin, file, harm=_harm_of_pass(position, origin, expression, file))


def _harm_of_pass(position: Position, origin: Origin, expression: Expression, file: CheckedFile) -> Harm | None:
    """None if that depends on how often it runs. An object that a loop makes of other code, or of a name, never equals
    the one before, by value either.
    """
    is_of_pass = origin.kind is FreshKind.OBJECT and not position.is_signed and needs_own_program(expression, file)
    return Harm.POTENTIAL if is_of_pass else None


def _report(
    position: Position, origin: Origin, file: CheckedFile, *, is_asked: bool = False, harm: Harm | None = None
) -> None:
    line, made = origin.context.line, maker_of(origin, position.context)
    at = f" (line {line})" if line != position.context.line else ""
    running = running_at(file, made)
    report(
        *(file, position.context),
        _MESSAGES[origin.kind].fill(subject=origin.subject, at=at, parameter=position.name),
        CODES["static-hash" if origin.kind in _BY_IDENTITY else "jit-retrace"],
        position=position.place,
        evidence=shown_repetition(running, made, file),
        questions=question_of_repetition(running, made, file),
        harm=harm_of_running(running, harm),
        is_asked=is_asked,
    )
