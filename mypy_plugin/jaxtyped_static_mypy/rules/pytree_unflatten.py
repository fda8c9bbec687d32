"""pytree-unflatten: the functions that take a pytree apart and rebuild it do not fit each other, or the class."""

from collections.abc import Mapping
from typing import Final

from mypy.nodes import Context, TypeInfo

from ..classes import class_model
from ..compat.dependencies import record_dependency
from ..flow.rebuilt.faults import Fault, Found
from ..flow.rebuilt.registered import Registered, registered_in
from ..flow.rebuilt.unflattening import faults_of
from ..reporting.errors import report
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile, once_per_file
from . import CODES

CODE: Final = CODES["pytree-unflatten"]

_PAIR: Final = "return a tuple of two: the children, and the auxiliary data or None"
_BY_NEW: Final = "make the object without its constructor, by object.__new__(cls), and set its attributes"
_AUXILIARY_FIRST: Final = "take the auxiliary data first, and the children second"
_TEMPLATES: Final[Mapping[Fault, Message]] = {
    Fault.RETURNS_NOTHING: Message(
        '{function} returns nothing, so JAX raises where it takes an object of "{cls}" apart', _PAIR
    ),
    Fault.NO_PAIR: Message(
        '{function} returns {what}, and JAX asks for a tuple of two, so it raises where it takes an object of "{cls}" '
        "apart",
        _PAIR,
    ),
    Fault.NO_CHILDREN: Message(
        '{function} returns None for the children, so JAX raises where it takes an object of "{cls}" apart',
        "return an empty tuple for no children",
    ),
    Fault.CHILDREN_OF_DICT: Message(
        '{function} returns the children of "{cls}" in a dict, of which JAX takes the keys, so that jit raises',
        "return the dict in a tuple: (children,), None",
    ),
    Fault.PARAMETERS: Message(
        "{function} takes {taken}, and JAX gives it {given}, so it raises",
        "let it take what JAX gives, and make it a @classmethod if it takes the class first",
    ),
    Fault.NOT_REBUILT: Message(
        '{function} returns nothing, so an object of "{cls}" is None wherever JAX has rebuilt it', "return the object"
    ),
    Fault.UNPACKED: Message(
        "{function} unpacks {what} into {names}, so it raises", "unpack what the function that flattens returns"
    ),
    Fault.NO_ITEM: Message(
        "{function} reads item {key} of {what}, so it raises", "read what the function that flattens returns"
    ),
    Fault.NOT_TAKEN: Message(
        'The constructor of "{cls}" gets {problem}, so JAX raises where it rebuilds an object',
        ("pass what the constructor takes", _BY_NEW),
    ),
    Fault.CHILDREN_FIRST: Message(
        '{function} takes "{first}" first, and JAX gives it the auxiliary data first, so it raises', _AUXILIARY_FIRST
    ),
    Fault.CHILDREN_FIRST_UNSEEN: Message(
        '{function} takes "{first}" first, and JAX gives it the auxiliary data first, so that values are swapped',
        _AUXILIARY_FIRST,
    ),
    Fault.SWAPPED: Message(
        '"{one}" of a rebuilt "{cls}" gets the value of "{other}", and not its own',
        "pass the values in the order of the parameters, or by their names",
    ),
    Fault.LOST: Message(
        '"{attribute}" of a rebuilt "{cls}" has its default, whatever it was: the constructor does not get it',
        "return it from the function that flattens, and pass it on",
    ),
    Fault.NOT_SET: Message(
        '"{attribute}" of a rebuilt "{cls}" is not set, so methods that read it raise',
        "return it from the function that flattens, and set it",
    ),
}
_MESSAGES: Final = {fault: message.named_by(fault) for fault, message in _TEMPLATES.items()}


def check_rebuilt(file: CheckedFile) -> None:
    """Reports all of a file: also of classes that other modules define, and functions that no hook is called for."""
    for registered, found, place in _found(file):
        statement = _MESSAGES[found.fault].fill(**found.values)
        report(file, place, statement, CODE, harm=None if found.is_certain else Harm.POTENTIAL)
        record_dependency(file.api, class_model.user_bases(registered.info))


@once_per_file
def _found(file: CheckedFile) -> tuple[tuple[Registered, Found, Context], ...]:
    """The faults, each at its place. A class that inherits one from a registered class does not repeat it."""
    all_registered = list(registered_in(file))
    pairs = [(registered, found) for registered in all_registered for found in faults_of(registered)]
    by_class: dict[TypeInfo, set[tuple[Fault, Context]]] = {}
    for registered, found in pairs:
        by_class.setdefault(registered.info, set()).add((found.fault, found.place))
    kept = []
    for registered, found in pairs:
        above = (by_class.get(base, set()) for base in registered.info.mro[1:])
        if not any((found.fault, found.place) in faults for faults in above):
            kept.append((registered, found, found.place))
    return tuple(kept)
