"""Evidence against freezing a class as it is: which lines of the file then raise, and what to write there instead."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import TypeInfo

from ..classes.copying import changed_copy
from ..classes.reasons import Fault, Reason
from ..flow.changes import Assigned, assignments_to
from ..source.checked_file import CheckedFile
from .finding import Evidence
from .places import listed, places
from .positions import Position

_REFUSED: Final = "which a frozen class refuses: use"
_LATER: Final = f"{{places}}, {_REFUSED} {{copy}} there, or {{instead}}"
_MAKING: Final = f"{{places}} in {{method}}, {_REFUSED} object.__setattr__({{object}}, {{name}}, ...) there"
_PASS_SEPARATELY: Final = "pass what changes as a separate dynamic argument"
_MAKE_DATA: Final = "make what changes a data field"
_NAMELESS: Final = "..."  # an object that is no variable, as `written` shows it


def assignments(position: Position, fault: Fault, file: CheckedFile) -> Iterator[Evidence]:
    """Where the file being checked assigns to attributes of a class that is to be frozen; nothing if it does not.

    A class that becomes a dataclass loses its `__init__`, but one that is a dataclass keeps what makes its objects.
    """
    info = fault.declared
    if info is None:
        return
    found = assignments_to(info, file)
    later = [one for one in found if one.making is None]
    if later:
        instead = _PASS_SEPARATELY if position.is_argument else _MAKE_DATA
        copy = changed_copy(_object(later), info)
        text = _LATER.format(places=_places(later, info, file), copy=copy, instead=instead)
        yield Evidence("assigned", file.tree.path, later[0].line, text)
    if fault.reason is not Reason.NOT_FROZEN:
        return
    for method in dict.fromkeys(one.making for one in found if one.making in _KEPT):
        making = [one for one in found if one.making == method]
        name = f'"{making[0].name}"' if len({one.name for one in making}) == 1 else "name"
        text = _MAKING.format(places=_places(making, info, file), method=method, object=making[0].owner, name=name)
        yield Evidence("assigned while it is made", file.tree.path, making[0].line, text)


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
