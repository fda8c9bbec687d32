"""jit-mutation, in a trace or outside: a statement that drops the changed copy which it makes."""

from collections.abc import Iterable, Iterator
from typing import Final

from ..compat import mypy_api
from ..flow.dropped import Dropped, calls_dropped, does_nothing, does_nothing_untyped
from ..reporting.actions import COPY_DROPPED
from ..reporting.errors import report
from ..reporting.messages import Message, Statement
from ..source.checked_file import CheckedFile
from ..syntax.changes import written
from . import CODES
from ._body import Body, BodyError

_CODE: Final = CODES["jit-mutation"]

_DROPPED: Final = Message(
    '"{written}(...)" changes nothing: it only returns a changed copy, which this statement drops',
    "use what it returns",
    kind=COPY_DROPPED,
)


def check_dropped(file: CheckedFile) -> None:
    """Reports those of the function, or the top level, that mypy is checking, and those that no type decides.

    No hook is called for what has no type, so that the nearest one reports it.
    """
    if not (found := calls_dropped(file)):
        return
    checked = mypy_api.outermost_function(file.api)
    for function, calls in found.items():
        does = does_nothing if function is checked else does_nothing_untyped
        for dropped in calls:
            if does(dropped, file):
                report(file, dropped.call, _statement(dropped), _CODE)


def in_body(body: Body) -> Iterator[BodyError]:
    """Those of a traced function, whose values are arrays and pytrees."""
    calls: Iterable[Dropped] = calls_dropped(body.file).get(body.function, ())
    for dropped in calls:
        if does_nothing(dropped, body.file, is_traced=True):
            yield BodyError(dropped.call, _statement(dropped), _CODE)


def _statement(dropped: Dropped) -> Statement:
    return _DROPPED.fill(written=written(dropped.call.callee).lstrip("."))
