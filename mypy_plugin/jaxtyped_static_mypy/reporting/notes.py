"""Notes below an error: the exact text to write instead, and where a class is declared."""

import re
from typing import Final

from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo
from mypy.nodes import Context, TypeInfo
from mypy.plugin import CheckerPluginInterface

from ..classes.copying import changed_copy
from ..compat import mypy_api
from ..compat.reported import notes
from ..config.settings import Settings
from ..flow.changes import first_assignment
from ..source.checked_file import checked_file
from .positions import Position


def replacement(text: str) -> str:
    """A note whose text after the colon can be copied."""
    return f"Write instead: {text}"


def addition(text: str) -> str:
    """A note with the text of something that is missing."""
    return f"Add: {text}"


def replacement_note(api: CheckerPluginInterface, context: Context, text: str, code: ErrorCode) -> None:
    """Adds the text to write instead, on the line of its error; ignoring the error silences the note, too."""
    mypy_api.note(api, replacement(text), context, code)


def addition_note(api: CheckerPluginInterface, context: Context, text: str, code: ErrorCode) -> None:
    """Adds the text of something that is missing."""
    mypy_api.note(api, addition(text), context, code)


def declaration_note(api: CheckerPluginInterface, context: Context, info: TypeInfo, code: ErrorCode) -> None:
    """Says where a class is declared; below the first error about it, also in how many more places it is at fault.

    Names a line only if it is in the file being checked: mypy's cache does not keep the lines of other modules. A
    `TypedDict` has none.
    """
    is_here = info.module_name == mypy_api.checked_module(api) and info.line >= 0
    where = f"at line {info.line}" if is_here else f'in "{info.module_name}"'
    name = info.fullname.removeprefix(f"{info.module_name}.").partition("@")[0]
    text = f'"{name}" is declared {where}'
    mypy_api.note(api, text, context, code)
    _count_places(text, [note for note in notes(api) if note.message.partition(",")[0] == text])


def assignment_note(
    api: CheckerPluginInterface, position: Position, info: TypeInfo, settings: Settings, code: ErrorCode
) -> None:
    """Says where the file being checked assigns to an attribute of a class that is to be frozen."""
    assigned = first_assignment(info, checked_file(api, settings))
    if assigned is None:
        return
    module = mypy_api.checked_module(api)
    line = f"Line {assigned.line}" if info.module_name == module else f'Line {assigned.line} of "{module}"'
    text = _ASSIGNED.format(
        line=line,
        attribute=assigned.name,
        copy=changed_copy(assigned.owner, info),
        instead=_PASS_SEPARATELY if position.is_argument else _MAKE_DATA,
    )
    mypy_api.note(api, text, position.context, code)


_ASSIGNED: Final = '{line} assigns "{attribute}", which a frozen class refuses: use {copy} there, or {instead}'
_PASS_SEPARATELY: Final = "pass what changes as a separate dynamic argument"
_MAKE_DATA: Final = "make what changes a data field"


def recount_places(api: CheckerPluginInterface) -> None:
    """Counts again in the daemon, where mypy drops the errors of a function before it checks that again."""
    if not api.options.fine_grained_incremental:
        return
    by_text: dict[str, list[ErrorInfo]] = {}
    for note in notes(api):
        if (declaration := _DECLARATION.match(note.message)) is not None:
            by_text.setdefault(declaration[0], []).append(note)
    for text, found in by_text.items():
        _count_places(text, found)


_DECLARATION: Final = re.compile(r'"[\w.]+" is declared (?:at line \d+|in "[\w.]+")')
_MORE: Final = ", and is at fault in {count} more {places} in this file"


def _count_places(text: str, found: list[ErrorInfo]) -> None:
    """Updates the text of notes. Those on one line share it, because mypy prints a text only once for each line."""
    first = min((note.line for note in found), default=0)
    count = len({(note.line, note.column) for note in found}) - 1
    more = _MORE.format(count=count, places="place" if count == 1 else "places") if count > 0 else ""
    for note in found:
        note.message = text + more if note.line == first else text
