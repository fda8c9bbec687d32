"""Notes below an error: the exact text to write instead, and where a class is declared."""

import re
from typing import Final

from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo
from mypy.nodes import Context, TypeInfo
from mypy.plugin import CheckerPluginInterface

from ..compat import mypy_api
from ..compat.reported import notes
from ..source.checked_file import CheckedFile
from .finding import Declared, Written


def note_written(api: CheckerPluginInterface, context: Context, written: Written, code: ErrorCode) -> None:
    """Adds the text to write, on the line of its error; ignoring the error silences the note, too."""
    mypy_api.note(api, text_of_written(written), context, code)


def text_of_written(written: Written) -> str:
    """A note whose text after the colon can be copied."""
    return f"{'Add' if written.is_added else 'Write instead'}: {written.text}"


def where_declared(file: CheckedFile, info: TypeInfo, *, is_at_fault: bool) -> Declared:
    """Where a class is declared.

    Names a line only if it is in the file being checked: mypy's cache does not keep the lines of other modules. A
    `TypedDict` has none.
    """
    is_here = info.module_name == file.tree.fullname and info.line >= 0
    where = f"at line {info.line}" if is_here else f'in "{info.module_name}"'
    name = info.fullname.removeprefix(f"{info.module_name}.").partition("@")[0]
    text = _DECLARED.format(name=name, where=where)
    return Declared(name, info.module_name, info.line if is_here else None, text, is_at_fault)


def note_declared(api: CheckerPluginInterface, context: Context, declared: Declared, code: ErrorCode) -> None:
    """Says where a class is declared; below the first error about it, also in how many more places it is at fault."""
    text = declared.text
    mypy_api.note(api, text, context, code)
    _count_places(text, [note for note in notes(api) if note.message.partition(_BEFORE_MORE)[0] == text])


def recount_places(api: CheckerPluginInterface) -> None:
    """Counts again in the daemon, where mypy drops the errors of a function before it checks that again."""
    if not api.options.fine_grained_incremental:
        return
    by_text: dict[str, list[ErrorInfo]] = {}
    for note in notes(api):
        text = note.message.partition(_BEFORE_MORE)[0]
        if _IS_DECLARATION.fullmatch(text) is not None:
            by_text.setdefault(text, []).append(note)
    for text, found in by_text.items():
        _count_places(text, found)


_DECLARED: Final = '"{name}" is declared {where}'
_IS_DECLARATION: Final = re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(_DECLARED)))
_MORE: Final = ", and is at fault in {count} more {places} in this file"
_BEFORE_MORE: Final = _MORE.partition("{")[0]


def _count_places(text: str, found: list[ErrorInfo]) -> None:
    """Updates the text of notes. Those on one line share it, because mypy prints a text only once for each line."""
    first = min((note.line for note in found), default=0)
    count = len({(note.line, note.column) for note in found}) - 1
    more = _MORE.format(count=count, places="place" if count == 1 else "places") if count > 0 else ""
    for note in found:
        note.message = text + more if note.line == first else text
