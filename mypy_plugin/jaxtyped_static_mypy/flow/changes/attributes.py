"""Which code of a file assigns to the attributes of a class: it raises once the class is frozen."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import TypeInfo

from ...classes import class_model
from ...source.checked_file import CheckedFile, once_per_file
from ...source.nested_functions import Outermost, all_outermost
from ...syntax.changes import ChangeKind, changes, written
from .refused import class_of, making_method

_UNKNOWN: Final = ("self", "cls")  # of a class that is not known: never the one that is asked for


class Assigned(NamedTuple):
    """An assignment to an attribute of an object."""

    line: int
    owner: str  # the object, as written
    name: str
    info: TypeInfo | None  # the class of the object, if the source declares it
    making: str | None = None  # the method that makes the object, if it is one that assigns to `self`


def assignments_to(info: TypeInfo, file: CheckedFile) -> list[Assigned]:
    """The assignments in a file to attributes and methods of a class, also those of methods that make its objects.

    Where nothing declares the class of an object, the name of the attribute decides, if only this class has it.
    """
    names = {field.name for field in class_model.fields(info)}
    names.update(name for base in class_model.user_bases(info) for name in base.names)
    others = names_of_others(info, file)
    found = (assigned for assigned in _assignments(file) if assigned.name in names)
    return [assigned for assigned in found if is_meant(assigned.info, assigned.name, assigned.owner, info, others)]


def names_of_others(info: TypeInfo, file: CheckedFile) -> set[str]:
    """The names that classes of a file have which are not related to this one."""
    return {name for other in _classes(file) if not _are_related(other, info) for name in other.names}


def is_meant(found: TypeInfo | None, name: str, owner: str, info: TypeInfo, others: set[str]) -> bool:
    """Whether `owner.name` is an attribute of a class. `found`: the class of the owner, if it is known."""
    if found is None:
        return name not in others and owner not in _UNKNOWN
    return _are_related(found, info)


def _are_related(one: TypeInfo, other: TypeInfo) -> bool:
    return one in other.mro or other in one.mro


def _classes(file: CheckedFile) -> Iterator[TypeInfo]:
    return (symbol.node for symbol in file.tree.names.values() if isinstance(symbol.node, TypeInfo))


@once_per_file
def _assignments(file: CheckedFile) -> tuple[Assigned, ...]:
    """All assignments to attributes, in the order of the source."""
    found = (assigned for outermost in all_outermost(file) for assigned in _inside(outermost))
    return tuple(sorted(found, key=lambda assigned: assigned.line))


def _inside(outermost: Outermost) -> Iterator[Assigned]:
    variables = outermost.variables
    for change in changes(node for node, _ in outermost.nodes):
        if change.kind is ChangeKind.ATTRIBUTE and not change.is_forced:
            target, name = change.target, change.written.rpartition(".")[2]
            info, making = class_of(target, variables), making_method(target, variables)
            yield Assigned(change.context.line, written(target), name, info, making)
