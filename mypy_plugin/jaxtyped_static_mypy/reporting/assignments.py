"""Evidence against freezing a class as it is: which code then raises, and what to write there instead."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import MypyFile, TypeInfo

from ..classes.copying import changed_copy
from ..classes.reasons import Fault, Reason
from ..facts.objects.uses import REFUSED_WHEN_FROZEN, Change
from ..flow.changes import Assigned, assignments_to
from ..reach.objects import changes_of, record_changes
from ..source.checked_file import CheckedFile
from .finding import PLACES, Asked, Evidence, Question
from .places import attributes, listed, places
from .positions import Position

ASSIGNED: Final = "assigned"  # the label of the evidence
_REFUSED: Final = "which a frozen class refuses: use"
_LATER: Final = f"{PLACES}, {_REFUSED} {{copy}} there, or {{instead}}"
_MAKING: Final = f"{{places}} in {{method}}, {_REFUSED} object.__setattr__({{object}}, {{name}}, ...) there"
_PASS_SEPARATELY: Final = "pass what changes as a separate dynamic argument"
_MAKE_DATA: Final = "make what changes a data field"
_NAMELESS: Final = "..."  # an object that is no variable, as `written` shows it


def assignments(position: Position, fault: Fault, file: CheckedFile) -> Iterator[Evidence]:
    """Where the file being checked, or a module that it imports, assigns to attributes of a class that is to be frozen.

    A class that becomes a dataclass loses its `__init__`, but one that is a dataclass keeps what makes its objects.
    """
    info = fault.declared
    if info is None:
        return
    found = assignments_to(info, file)
    later = [one for one in found if one.making is None]
    if later:
        text = _later(_places(later, info, file), _object(later), info, position)
        yield Evidence(ASSIGNED, file.tree.path, later[0].line, text)
    yield from _in_imports(position, info, file)
    if fault.reason is not Reason.NOT_FROZEN:
        return
    for method in dict.fromkeys(one.making for one in found if one.making in _KEPT):
        making = [one for one in found if one.making == method]
        name = f'"{making[0].name}"' if len({one.name for one in making}) == 1 else "name"
        text = _MAKING.format(places=_places(making, info, file), method=method, object=making[0].owner, name=name)
        yield Evidence("assigned while it is made", file.tree.path, making[0].line, text)


def _later(places: str, owner: str, info: TypeInfo, position: Position) -> str:
    instead = _PASS_SEPARATELY if position.is_argument else _MAKE_DATA
    return _LATER.format(places=places, copy=changed_copy(owner, info), instead=instead)


def _in_imports(position: Position, info: TypeInfo, file: CheckedFile) -> Iterator[Evidence]:
    """One for each imported module. mypy's cache keeps no lines of it, so its functions are named."""
    record_changes(file)
    found: dict[MypyFile, list[Change]] = {}
    for module, change in changes_of(info, file):
        if module is not file.tree and change.how in REFUSED_WHEN_FROZEN:
            found.setdefault(module, []).append(change)
    for module, changes in found.items():
        functions = dict.fromkeys(f'"{change.where}"' for change in changes if change.where)
        subjects = f'{listed(functions)} of "{module.fullname}"' if functions else f'"{module.fullname}"'
        places = f"{subjects} {'assign' if len(functions) > 1 else 'assigns'} {attributes(changes)}"
        yield Evidence(ASSIGNED, module.path, None, _later(places, "obj", info, position))


def ask_about_assignments(position: Position, fault: Fault) -> Iterator[Question]:
    """What modules that import this one may show: where they assign to attributes of a class that is to be frozen."""
    if fault.declared is not None:
        text = _later(PLACES, "obj", fault.declared, position)
        yield Question(Asked.ASSIGNED, fault.declared.fullname, ASSIGNED, text)


# Of the methods that make objects, those whose assignments a frozen class refuses.
_KEPT: Final = ("__init__", "__post_init__", "__attrs_post_init__", "__setstate__")


def _object(found: list[Assigned]) -> str:
    owner = found[0].owner
    return "obj" if _NAMELESS in owner else owner


def _places(found: list[Assigned], info: TypeInfo, file: CheckedFile) -> str:
    """`Lines 4 and 7 assign "dt"`."""
    module = file.tree.fullname
    where = "" if info.module_name == module else f' of "{module}"'
    names = listed(dict.fromkeys(f'"{one.name}"' for one in found))
    return places([one.line for one in found], "assign", names, where)
