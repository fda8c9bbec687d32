"""A rule about bodies: given an outermost function and what is known of the values in it, yields what it finds."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from mypy.errorcodes import ErrorCode
from mypy.nodes import Context, FuncItem, TypeAlias, TypeInfo

from ..flow.checked_file import CheckedFile
from ..flow.traced.analysis import Analysis


class Body(NamedTuple):
    """An outermost function, with all that is nested in it."""

    function: FuncItem
    file: CheckedFile
    analysis: Analysis
    consulted: set[TypeInfo | TypeAlias]  # classes that the answer depends on: a rule adds those that it looks at


class Finding(NamedTuple):
    context: Context  # in the file of the function
    message: str
    code: ErrorCode
    notes: tuple[str, ...] = ()


BodyRule = Callable[[Body], Iterator[Finding]]
