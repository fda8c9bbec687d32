"""Notes below an error: the exact text to write instead, and where a class is declared."""

from mypy.errorcodes import ErrorCode
from mypy.nodes import Context, TypeInfo
from mypy.plugin import CheckerPluginInterface

from ..compat import mypy_api


def replacement(text: str) -> str:
    """A note whose text after the colon can be copied."""
    return f"Write instead: {text}"


def replacement_note(api: CheckerPluginInterface, context: Context, text: str, code: ErrorCode) -> None:
    """Adds the text to write instead, on the line of its error; ignoring the error silences the note, too."""
    mypy_api.note(api, replacement(text), context, code)


def addition_note(api: CheckerPluginInterface, context: Context, text: str, code: ErrorCode) -> None:
    """Adds the text of something that is missing."""
    mypy_api.note(api, f"Add: {text}", context, code)


def declaration_note(api: CheckerPluginInterface, context: Context, info: TypeInfo, code: ErrorCode) -> None:
    """Says where a class is declared.

    Names a line only if it is in the file being checked: mypy's cache does not keep the lines of other modules. A
    `TypedDict` has none.
    """
    is_here = info.module_name == mypy_api.checked_module(api) and info.line >= 0
    where = f"at line {info.line}" if is_here else f'in "{info.module_name}"'
    mypy_api.note(api, f'"{info.name}" is declared {where}', context, code)
