"""jax-missing: what JAX, one of its libraries or an array does not have. Only the command reports it."""

from typing import Final

from ..knowledge.array_attributes import ARRAY, DELETING, SETTING
from ..knowledge.array_attributes import INSTEAD as OF_ARRAYS
from ..knowledge.ecosystem import INSTEAD, TOO_MANY
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
_POSITIONS: Final = Message(
    '"{function}" of {library} takes {count} by position, and gets more: this raises TypeError',
    (),
    kind="positions",
)
_BY_NAME: Final = "give the others by name"
_FLAG: Final = Message(
    '"{argument}" of "{function}" is true or false, and this number is given for it by position',
    "give the number by name",
    kind="number-for-flag",
)
_ITEM: Final = Message(
    '"{array}" has no "{attribute}": arrays of JAX do not change, and this raises {error}',
    (),
    kind="item",
)
_OPERAND: Final = Message(
    '"{operator}" takes no {given} beside a "{array}": this raises TypeError',
    "make an array of it (jax.numpy.array)",
    kind="operand",
)
_REPEATED: Final = "to repeat it, write int(n)"
_SORTED: Final = Message(
    '"{array}.sort" returns a sorted copy, which this statement drops: the array stays as it is',
    "write x = x.sort()",
    kind="sorted-copy",
)
_ITEMS: Final = {SETTING: "write x = x.at[i].set(value)", DELETING: "write x = jax.numpy.delete(x, i)"}


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


def too_many(function: str, taken: int, library: str, instead: str, *, is_potential: bool) -> Finding:
    """`instead`: what is advised if the function takes nothing else by name."""
    count = f"{taken} argument{'s' if taken != 1 else ''}" if taken else "no argument"
    advice = TOO_MANY.get(function, instead or _BY_NAME)
    statement = _told(_POSITIONS, advice, function=function, library=library, count=count)
    return _finding(statement, is_potential=is_potential)


def number_for_flag(function: str, argument: str, *, is_potential: bool) -> Finding:
    return _finding(_FLAG.fill(argument=argument, function=function), is_potential=is_potential)


def item_changed(attribute: str, error: str, *, is_potential: bool) -> Finding:
    """`attribute`: what Python calls for it."""
    statement = _told(_ITEM, _ITEMS[attribute], array=ARRAY, attribute=attribute, error=error)
    return _finding(statement, is_potential=is_potential)


def listed_operand(operator: str, given: str, *, is_potential: bool) -> Finding:
    """`given`: the other operand, a list or a tuple."""
    message = _OPERAND.also(_REPEATED) if operator == "*" else _OPERAND
    statement = message.fill(array=ARRAY, operator=operator, given=given)
    return _finding(statement, is_potential=is_potential)


def sorted_copy(*, is_potential: bool) -> Finding:
    return _finding(_SORTED.fill(array=ARRAY), is_potential=is_potential)


def _told(message: Message, instead: str, **values: str) -> Statement:
    return (message.also(_TOLD) if instead else message).fill(instead=instead, **values)


def _finding(statement: Statement, *, is_potential: bool) -> Finding:
    harm = Harm.POTENTIAL if is_potential else harm_of(CODE.code, statement.kind)
    return Finding(CODE.code, *statement, harm=harm)
