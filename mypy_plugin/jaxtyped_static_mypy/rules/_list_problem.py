"""What is wrong with the lists of a jit call, or with a parameter that they should name."""

from typing import NamedTuple

from mypy.nodes import Context

from ..reporting.finding import Written
from ..reporting.messages import Statement


class ListProblem(NamedTuple):
    """A list item or parameter that does not fit: where to report it, and what to write there."""

    context: Context
    statement: Statement
    written: Written | None = None
