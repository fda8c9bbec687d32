"""jax-missing: what JAX, one of its libraries or an array does not have. Only the command reports it."""

from typing import Final

from ..knowledge.array_attributes import ARRAY
from ..knowledge.array_attributes import INSTEAD as OF_ARRAYS
from ..knowledge.ecosystem import INSTEAD
from ..reporting.finding import Finding
from ..reporting.harm import Harm, harm_of
from ..reporting.messages import Message, Statement
from . import CODES

CODE: Final = CODES["jax-missing"]

_TOLD: Final = "{instead}"
_NAME: Final = Message('"{name}" is not in {library}: this raises {error}', (), kind="name")
_ARGUMENT: Final = Message(
    '"{function}" of {library} has no argument "{argument}": this raises TypeError', (), kind="argument"
)
_ATTRIBUTE: Final = Message(
    '"{array}" of {library} has no attribute "{attribute}": this raises AttributeError', (), kind="attribute"
)
_PROPERTY: Final = Message(
    '"{array}.{attribute}" is a property, and no method: calling it raises TypeError',
    "leave out the parentheses",
    kind="property",
)


def name_missing(name: str, error: str, library: str, similar: str, *, is_potential: bool) -> Finding:
    """`similar`: what is advised where nothing is known of the name."""
    instead = INSTEAD.get(name, similar)
    return _finding(_told(_NAME, instead, name=name, error=error, library=library), is_potential=is_potential)


def argument_missing(function: str, argument: str, library: str, instead: str, *, is_potential: bool) -> Finding:
    statement = _told(_ARGUMENT, instead, function=function, argument=argument, library=library)
    return _finding(statement, is_potential=is_potential)


def attribute_missing(attribute: str, library: str, *, is_potential: bool) -> Finding:
    instead = OF_ARRAYS.get(attribute, "")
    statement = _told(_ATTRIBUTE, instead, array=ARRAY, attribute=attribute, library=library)
    return _finding(statement, is_potential=is_potential)


def property_called(attribute: str, *, is_potential: bool) -> Finding:
    return _finding(_PROPERTY.fill(array=ARRAY, attribute=attribute), is_potential=is_potential)


def _told(message: Message, instead: str, **values: str) -> Statement:
    return (message.also(_TOLD) if instead else message).fill(instead=instead, **values)


def _finding(statement: Statement, *, is_potential: bool) -> Finding:
    harm = Harm.POTENTIAL if is_potential else harm_of(CODE.code, statement.kind)
    return Finding(CODE.code, *statement, harm=harm)
