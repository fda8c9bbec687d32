"""Calls of compiled functions of which a further compilation is no harm."""

from mypy.nodes import CallExpr

from ..flow.traced.analysis import is_staged
from ..reach.file_program import is_in_test
from ..reach.runs import is_evaluated_once
from ..source.checked_file import CheckedFile


def is_uncounted(call: CallExpr, file: CheckedFile) -> bool:
    """Whether a call stands in a test, in code that runs once, or in a trace."""
    return is_in_test(call.line, file) or is_evaluated_once(call.line, file) or is_staged(call, file.api, file.settings)
