"""Which code of a file assigns to the attributes of a class: it raises once the class is frozen."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from mypy.nodes import ClassDef, FuncDef, NameExpr, Statement, TypeInfo

from ...classes import class_model
from ...facts.method_facts import MAKING
from ...source.checked_file import CheckedFile, once_per_file
from ...source.nested_functions import Variables, read_functions
from ...syntax.changes import Change, ChangeKind, changes, written
from ...syntax.trees import self_parameter, statements
from .refused import class_of

_UNKNOWN: Final = ("self", "cls")  # of a class that is not known: never the one that is asked for


class Assigned(NamedTuple):
    """An assignment to an attribute of an object."""

    line: int
    owner: str  # the object, as written
    name: str
    info: TypeInfo | None  # the class of the object, if the source declares it
    making: str | None = None  # the method that makes the object, if it is one that assigns to `self`


def assignments_to(info: TypeInfo, file: CheckedFile) -> list[Assigned]:
    """The assignments in a file to attributes of a class, also those of methods that make its objects.

    Where nothing declares the class of an object, the name of the attribute decides, if only this class has it.
    """
    names = {name for name, _ in class_model.attributes(info)} | {field.name for field in class_model.fields(info)}
    others = names_of_others(info, file)
    found = (one for one in _assignments(file) if one.name in names)
    return [one for one in found if is_meant(one.info, one.name, one.owner, info, others)]


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
    functions = _outermost(file.tree.defs)
    found = [*_at_module_level(file), *(one for function in functions for one in _inside(function, file))]
    return tuple(sorted(found, key=lambda one: one.line))


def _outermost(body: Iterable[Statement]) -> Iterator[FuncDef]:
    """The functions of a module and the methods of its classes, without those nested in other functions."""
    for node in statements(body, into_definitions=False):
        if isinstance(node, FuncDef):
            yield node
        elif isinstance(node, ClassDef):
            yield from _outermost(node.defs.body)


def _inside(function: FuncDef, file: CheckedFile) -> Iterator[Assigned]:
    functions = read_functions(function, file.decorators.get(function), file)
    own = self_parameter(function) if function.name in MAKING else None
    for nodes in functions.nodes.values():
        for change in changes(nodes):
            makes = own is not None and isinstance(change.target, NameExpr) and change.target.node is own
            yield from _assigned(change, functions, function.name if makes else None)


def _at_module_level(file: CheckedFile) -> Iterator[Assigned]:
    outside = Variables(file)
    for change in changes(statements(file.tree.defs, into_definitions=False)):
        yield from _assigned(change, outside)


def _assigned(change: Change, variables: Variables, making: str | None = None) -> Iterator[Assigned]:
    if change.kind is ChangeKind.ATTRIBUTE and not change.is_forced:
        name = change.written.rpartition(".")[2]
        yield Assigned(change.context.line, written(change.target), name, class_of(change.target, variables), making)
