"""Reports an error, unless its position has one with the same code already."""

from mypy.errorcodes import ErrorCode
from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface

from ..compat.reported import has_error


def report(api: CheckerPluginInterface, context: Context, message: str, code: ErrorCode) -> bool:
    """Reports an error; returns whether it did, so that its notes are added with it.

    Of several errors with one code at one position, the first is reported: whoever reports them puts it first. The
    others appear once it is fixed.
    """
    if has_error(api, context, code):
        return False
    api.fail(message, context, code=code)
    return True
