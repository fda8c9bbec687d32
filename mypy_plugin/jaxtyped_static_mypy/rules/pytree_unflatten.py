"""pytree-unflatten: the functions that take a pytree apart and rebuild it do not fit each other, or the class."""

from collections.abc import Iterable, Mapping
from typing import Final

from mypy.nodes import Context, RaiseStmt, TypeInfo

from ..classes import class_model
from ..compat.dependencies import record_dependency
from ..flow.changes.methods import refused_while_made
from ..flow.rebuilt.by_fields import dataclasses_in, faults_of_dataclass
from ..flow.rebuilt.faults import Fault, Found
from ..flow.rebuilt.registered import registered_in
from ..flow.rebuilt.unflattening import faults_of
from ..reporting.errors import report
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile, once_per_file
from ..source.expected import stands_below_raises
from ..syntax.stand_ins import first_statement
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
    Fault.SHARED: Message(
        '{function} gives the children to "{name}", the object that was taken apart: jax.tree.map changes the '
        "original, and jit leaves tracers in it",
        "make a new object, by copy.copy({name}), and give it the children",
    ),
    Fault.OWN_INIT: Message(
        'The constructor of "{cls}" gets {problem}: JAX rebuilds an object from its fields, by their names, so it '
        "raises",
        "take the fields, and make objects of other values in a class method",
    ),
    Fault.CHANGED_AGAIN: Message(
        '"{method}" changes "{attribute}", and runs again with what it has made of it wherever JAX rebuilds an object '
        'of "{cls}": each time the value is another one',
        "compute the value before the object is made, in a class method",
    ),
}
_MESSAGES: Final = {fault: message.named_by(fault) for fault, message in _TEMPLATES.items()}


def check_rebuilt(file: CheckedFile) -> bool:
    """Reports all of a file, and says if there is any: of other modules' classes, and where no hook is called, too."""
    for found in _found(file):
        statement = _MESSAGES[found.fault].fill(**found.values)
        report(file, found.place, statement, CODE, harm=None if found.is_certain else Harm.POTENTIAL)
    return bool(_found(file))


@once_per_file
def _found(file: CheckedFile) -> tuple[Found, ...]:
    """The faults. A class does not repeat that of a base; one that it inherits is reported where it is registered."""
    by_class: dict[TypeInfo, list[Found]] = {}
    places: dict[TypeInfo, Context] = {}
    for registered in registered_in(file):
        record_dependency(file.api, class_model.user_bases(registered.info))
        if not _is_meant_to_raise(registered.info, file) and not _is_never_made(registered.info, file):
            by_class.setdefault(registered.info, []).extend(faults_of(registered))
            places[registered.info] = registered.place
    for info in dataclasses_in(file):
        record_dependency(file.api, class_model.user_bases(info))
        if info in by_class or _is_meant_to_raise(info, file):
            continue
        if not any(refused_while_made(info, file)):  # else `jit-mutation` says that there is no object to rebuild
            by_class[info] = list(faults_of_dataclass(info, file))
    return tuple(
        found._replace(place=places[info]) if found.is_inherited else found
        for info, faults in by_class.items()
        for found in faults
        if not any(_has_same(found, by_class.get(base, ())) for base in info.mro[1:])
    )


def _has_same(found: Found, others: Iterable[Found]) -> bool:
    return any((other.fault, other.place) == (found.fault, found.place) for other in others)


def _is_never_made(info: TypeInfo, file: CheckedFile) -> bool:
    """Whether the constructor of a base only raises, so that all objects are of subclasses."""
    symbol = info.get("__init__")
    node = symbol.node if symbol is not None else None
    return file.defines(node) and isinstance(first_statement(node), RaiseStmt)


def _is_meant_to_raise(info: TypeInfo, file: CheckedFile) -> bool:
    """Whether a test makes objects of a class to see JAX raise."""
    uses = (use for use in file.uses_by_name.get(info.name, ()) if use.node is info)
    return any(stands_below_raises(use, file) for use in uses)
