"""Notes that give the exact text to write, where a mend is mechanical."""

from mypy.errorcodes import ErrorCode
from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface

from .compat import mypy_api


def replacement(text: str) -> str:
    """The words of such a note: what follows the colon can be copied."""
    return f"Write instead: {text}"


def replacement_note(api: CheckerPluginInterface, context: Context, text: str, code: ErrorCode) -> None:
    """After the error that it belongs to, on the same line, and silenced together with that."""
    mypy_api.note(api, replacement(text), context, code)


def addition_note(api: CheckerPluginInterface, context: Context, text: str, code: ErrorCode) -> None:
    """The same for what is missing, and takes nothing's place."""
    mypy_api.note(api, f"Add: {text}", context, code)
