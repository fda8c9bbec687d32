"""Private mypy API: the errors and notes that mypy has recorded for the file it is checking.

mypy prints those of a file once, after it has checked all of it; the daemon, after each update. While mypy tries to
infer a type, it holds back new ones, in watchers that are stacked (`Errors._watchers`): they may be thrown away.
"""

from collections.abc import Iterator
from typing import cast

from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo
from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface


def has_error(api: CheckerPluginInterface, context: Context, code: ErrorCode) -> bool:
    """Whether the check of the current target reported an error with this code at this position.

    Errors of other targets do not count: the daemon may check those earlier or later.
    """
    place = (context.line, context.column, code, "error", cast(TypeChecker, api).errors.current_target())
    return any((info.line, info.column, info.code, info.severity, info.target) == place for info in _recorded(api))


def notes(api: CheckerPluginInterface) -> Iterator[ErrorInfo]:
    """The notes of the file. Their text may be changed until mypy prints it."""
    return (info for info in _recorded(api) if info.severity == "note")


def _recorded(api: CheckerPluginInterface) -> Iterator[ErrorInfo]:
    errors = cast(TypeChecker, api).errors
    yield from errors.error_info_map.get(errors.file, ())
    for watcher in errors._watchers:
        yield from watcher._filtered or ()
