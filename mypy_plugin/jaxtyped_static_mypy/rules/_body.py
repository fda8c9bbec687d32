"""What a check of a compiled function is given, and what it yields."""

from typing import NamedTuple

from mypy.errorcodes import ErrorCode
from mypy.nodes import Context, FuncItem, TypeAlias, TypeInfo

from ..flow.traced.analysis import Analysis
from ..reporting.finding import Place
from ..reporting.messages import Statement
from ..source.checked_file import CheckedFile


class Body(NamedTuple):
    """An outermost function, with all functions nested in it."""

    function: FuncItem
    file: CheckedFile
    analysis: Analysis
    consulted: set[TypeInfo | TypeAlias]  # classes that the answer depends on: a check adds those it looks at


class BodyError(NamedTuple):
    """An error in a function, to be reported each time mypy checks that function."""

    context: Context  # in the file of the function
    statement: Statement
    code: ErrorCode
    position: Place | None = None
